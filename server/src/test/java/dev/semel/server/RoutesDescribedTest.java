// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.config.Setting;
import dev.semel.server.config.SettingsReader;
import dev.semel.server.http.HttpRoute;
import dev.semel.server.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** openapi.yaml describes exactly the served routes, with their access rules. */
class RoutesDescribedTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete", "options", "head");

    @TempDir
    Path folder;

    @Test
    void routesAndDescriptionAgree() throws IOException {
        Map<String, String> described = described();

        assertThat(described).hasSizeGreaterThan(30);
        assertThat(served()).containsExactlyInAnyOrderEntriesOf(described);
    }

    /** Returns the access rule of each route, such as "POST /v1/claims". */
    private Map<String, String> served() {
        Map<Setting, String> options = Map.of(
                Setting.PORT, "0", Setting.DATA_DIR, folder.resolve("data").toString());
        Routes routes = new Routes();
        try (SemelServer server = SemelServer.start(SettingsReader.read(options, Optional.empty(), Map.of()))) {
            server.resources().forEach(resource -> resource.addTo(routes));
        }
        Map<String, String> all = new TreeMap<>();
        Map<String, String> heads = new TreeMap<>();
        for (HttpRoute route : routes.all()) {
            (route.method().equals("HEAD") ? heads : all)
                    .put(
                            (route.method().equals("HEAD") ? "GET" : route.method()) + " " + route.path(),
                            route.access().name().toLowerCase(Locale.ROOT));
        }
        // openapi.yaml does not list HEAD. Every HEAD route must have a GET route with the same path and access.
        assertThat(all).containsAllEntriesOf(heads);
        return all;
    }

    private static Map<String, String> described() throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (InputStream file = RoutesDescribedTest.class.getResourceAsStream("openapi.yaml")) {
            Map<?, ?> document = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
            ((Map<?, ?>) document.get("paths"))
                    .forEach((path, item) -> new LinkedHashMap<>((Map<?, ?>) item).forEach((method, operation) -> {
                        if (METHODS.contains(method)) {
                            all.put(
                                    method.toString().toUpperCase(Locale.ROOT) + " " + path,
                                    String.valueOf(((Map<?, ?>) operation).get("x-access")));
                        }
                    }));
        }
        return all;
    }
}
