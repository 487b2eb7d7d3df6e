// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import jakarta.servlet.ServletContext;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with one application, on a free port of 127.0.0.1. */
final class EmbeddedTomcat implements AutoCloseable {
    /** A strong reference, because a logger that is garbage collected loses its level. */
    private static final Logger LOGGER = Logger.getLogger("org.apache");

    private final Tomcat tomcat;
    private final Path folder;

    private EmbeddedTomcat(Tomcat tomcat, Path folder) {
        this.tomcat = tomcat;
        this.folder = folder;
    }

    static EmbeddedTomcat start(Consumer<ServletContext> application) throws IOException, LifecycleException {
        // Without its warnings about threads of the engine, which is closed after Tomcat.
        LOGGER.setLevel(Level.SEVERE);
        Path folder = Files.createTempDirectory("semel-example");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", folder.toString());
        context.addServletContainerInitializer((types, servlets) -> application.accept(servlets), Set.of());
        tomcat.start();
        return new EmbeddedTomcat(tomcat, folder);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
    }

    @Override
    public void close() throws IOException, LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
