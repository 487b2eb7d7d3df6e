// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.server.InProcessServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of proxy tests with a target service that the test controls. */
abstract class ApiProxyTestBase {
    @TempDir
    Path folder;

    final AtomicInteger runs = new AtomicInteger();
    TargetService service;
    InProcessServer proxy;

    final void start(TargetService.Behaviour behaviour) {
        start("", behaviour);
    }

    /** @param more settings of the route, starting with a comma */
    final void start(String more, TargetService.Behaviour behaviour) {
        service = new TargetService((request, out) -> {
            runs.incrementAndGet();
            return behaviour.answer(request, out);
        });
        proxy = InProcessServer.in(
                folder,
                "api: {routes: [{path: \"/orders/**\", target: \"%s\"%s}]}".formatted(service.url(), more),
                Map.of());
    }

    @AfterEach
    void stop() {
        if (proxy != null) {
            proxy.close();
        }
        if (service != null) {
            service.close();
        }
    }
}
