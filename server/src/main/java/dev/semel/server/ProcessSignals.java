// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs actions on signals. The JDK has no public API for signals, so its unsupported one is used, if it exists. Windows has no
 * SIGHUP.
 */
final class ProcessSignals {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessSignals.class);

    private ProcessSignals() {}

    /** Runs an action whenever the process receives the signal, for example {@code HUP}. */
    static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runs = Proxy.newProxyInstance(
                    ProcessSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), runs);
        } catch (ReflectiveOperationException e) {
            LOG.info("The signal {} cannot be handled here and has its default effect", name);
        }
    }

    /**
     * Ends the process with the exit code 0 on SIGTERM and Ctrl-C, because a signal is the normal way to stop it. Shutdown hooks
     * run, and so do those of libraries, which delete their temporary files.
     */
    static void stopNormally() {
        on("TERM", () -> System.exit(0));
        on("INT", () -> System.exit(0));
    }
}
