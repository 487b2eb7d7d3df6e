// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How soon each screen shows its first data, with a million claims in PostgreSQL. */
@Tag("large")
class MillionKeysTest {
    private static final int ROUNDS = 40;
    private static final double LIMIT_MILLIS = 300;

    private static final String INSERT = """
            INSERT INTO idempotency_keys (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale,
                                          fence, ttl_micros, created_at, lease_until, run_until, completed_at,
                                          result_type, result)
            SELECT decode(md5(i::text) || md5('b' || i), 'hex'), 'default', 'scope-' || i % 20, 'secret', gen_random_uuid(),
                   gen_random_uuid(), decode(md5('c' || i) || md5('d' || i), 'hex'),
                   CASE WHEN i % 50000 = 7 THEN 'UNKNOWN'::semel_status ELSE 'SUCCEEDED' END, 'RERUN', i, 86400000000,
                   t, t + interval '5 minutes', t + interval '1 hour', t, 'text/plain', 'result'
            FROM (SELECT i, now() - i * interval '50 milliseconds' AS t FROM generate_series(1, 1000000) AS i) AS g
            """;

    /** Follows an address and waits until an element is there and has been drawn. */
    private static final String SHOWN_AFTER = """
            ([address, element]) => new Promise((resolve, reject) => {
                location.hash = '#/none';
                setTimeout(() => {
                    const start = performance.now();
                    location.hash = address;
                    const look = () => {
                        if (document.querySelector(element)) resolve(performance.now() - start);
                        else if (performance.now() - start > 20000) reject(new Error('nothing shown at ' + address));
                        else requestAnimationFrame(look);
                    };
                    look();
                }, 30);
            })
            """;

    @Test
    void everyScreenShowsItsFirstDataSoon() throws Exception {
        try (TestBrowser browser = TestBrowser.launch();
                PostgresServer postgres = PostgresServer.start()) {
            String url = postgres.createDatabase("million");
            String login = url
                    + (url.contains("?") ? "&" : "?")
                    + "user=%s&password=%s".formatted(postgres.user(), postgres.password());
            try (JvmServer server = TestBrowser.server("--database-url", login);
                    ConsolePage console = browser.open(server.uri(), "/console", Screen.LIGHT)) {
                fill(url, postgres);
                ApiCaller api = new ApiCaller(server.uri(), Map.of());
                Traffic.ofEverything(api, 60);
                measured(console, api);
            }
        }
    }

    private static void fill(String url, PostgresServer postgres) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute(INSERT);
            statement.execute("VACUUM ANALYZE idempotency_keys");
        }
    }

    private static void measured(ConsolePage console, ApiCaller api) {
        String parked =
                api.get("/v1/keys?status=unknown&limit=1").raw().replaceAll(".*?\"id\":\"([0-9a-f]{64})\".*", "$1");
        Map<String, String> screens = new LinkedHashMap<>();
        screens.put("#/overview", ".tiles");
        screens.put("#/keys", "tbody tr");
        screens.put("#/keys?scope=scope-7", "tbody tr");
        screens.put("#/keys?status=unknown", "tbody tr");
        screens.put("#/key/" + parked, ".timeline");
        screens.put("#/stuck", "tbody tr");
        screens.put("#/webhooks", "tbody tr");
        screens.put("#/ledger", "tbody tr");
        screens.put("#/calls", "tbody tr");
        screens.put("#/system", ".facts");
        Page page = console.page();
        console.open("overview").showing("Overview");
        Map<String, Double> slow = new LinkedHashMap<>();
        screens.forEach((address, element) -> {
            List<Double> times = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                times.add(((Number) page.evaluate(SHOWN_AFTER, List.of(address, element))).doubleValue());
            }
            Collections.sort(times);
            double p95 = times.get((int) Math.ceil(0.95 * ROUNDS) - 1);
            System.out.printf("%-40.40s p50 %4.0f ms, p95 %4.0f ms%n", address, times.get(ROUNDS / 2), p95);
            if (p95 > LIMIT_MILLIS) {
                slow.put(address, p95);
            }
        });
        assertThat(slow)
                .as("screens that need more than %.0f ms at p95", LIMIT_MILLIS)
                .isEmpty();
        console.clean();
    }
}
