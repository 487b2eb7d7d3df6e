// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an action on SIGHUP. The JDK has no public API for signals, so its unsupported one is used, if it exists. It does not on
 * Windows.
 */
final class HangUpSignal {
    private static final Logger LOG = LoggerFactory.getLogger(HangUpSignal.class);

    private HangUpSignal() {}

    static void handle(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runs = Proxy.newProxyInstance(
                    HangUpSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), runs);
        } catch (ReflectiveOperationException e) {
            LOG.info("SIGHUP is not available here: restart the server to use changed settings");
        }
    }
}
