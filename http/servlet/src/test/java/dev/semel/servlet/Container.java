// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

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
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet container on a free port of 127.0.0.1. */
enum Container {
    TOMCAT {
        @Override
        Running start(String contextPath, Consumer<ServletContext> application) throws Exception {
            Path folder = Files.createTempDirectory("semel-tomcat");
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.toString());
            tomcat.setHostname("127.0.0.1");
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            Context context = tomcat.addContext(contextPath, new File(folder.toString()).getAbsolutePath());
            context.addServletContainerInitializer((types, servlets) -> application.accept(servlets), Set.of());
            tomcat.start();
            return new Running(uri(tomcat.getConnector().getLocalPort(), contextPath), () -> {
                try {
                    tomcat.stop();
                    tomcat.destroy();
                } catch (LifecycleException e) {
                    throw new IllegalStateException(e);
                }
                delete(folder);
            });
        }
    },
    JETTY {
        @Override
        Running start(String contextPath, Consumer<ServletContext> application) throws Exception {
            Server server = new Server();
            ServerConnector connector = new ServerConnector(server);
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            ServletContextHandler context = new ServletContextHandler();
            context.setContextPath(contextPath.isEmpty() ? "/" : contextPath);
            context.addServletContainerInitializer((types, servlets) -> application.accept(servlets));
            server.setHandler(context);
            server.start();
            return new Running(uri(connector.getLocalPort(), contextPath), () -> {
                try {
                    server.stop();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    };

    /** A strong reference, because a logger that is garbage collected loses its level. */
    private static final Logger TOMCATS_LOGGER = Logger.getLogger("org.apache");

    static {
        TOMCATS_LOGGER.setLevel(Level.OFF);
    }

    /** Starts the container with an application at this path. The empty path is the root. */
    abstract Running start(String contextPath, Consumer<ServletContext> application) throws Exception;

    private static URI uri(int port, String contextPath) {
        return URI.create("http://127.0.0.1:%d%s".formatted(port, contextPath));
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A running container. */
    record Running(URI uri, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }
}
