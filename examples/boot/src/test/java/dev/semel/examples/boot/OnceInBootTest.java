// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Runs the example on SQLite, as users do without a server, and on PostgreSQL. */
class OnceInBootTest {
    private static final int CLIENTS = 8;
    private static final String STRIPE = "whsec_of_the_test";

    @TempDir
    private Path folder;

    @Test
    void onSqliteOrderAndPaymentAreWrittenOnceOverRestarts() throws Exception {
        assertOnceOverRestarts("--orders.file=" + folder.resolve("orders.db"));
    }

    @Test
    void onPostgresOrderAndPaymentAreWrittenOnceOverRestarts() throws Exception {
        try (OrdersDatabase database = new OrdersDatabase()) {
            assertOnceOverRestarts(arguments(database));
        }
    }

    private static void assertOnceOverRestarts(String... arguments) throws Exception {
        List<String> first = printedBy(arguments);
        String order = first.get(0).replace("order: 201, replayed: false, ", "");
        assertThat(order)
                .startsWith("{\"id\":\"")
                .endsWith("\"reference\":\"order-17\",\"item\":\"book\",\"cents\":1999}");
        assertThat(first)
                .containsExactly(
                        "order: 201, replayed: false, " + order,
                        "order: 201, replayed: true, " + order,
                        "event: 200, {\"status\":\"processed\"}",
                        "event: 200, {\"status\":\"already_processed\"}",
                        "orders: 1, payments: 1, paid: 1999 cents");

        assertThat(printedBy(arguments))
                .containsExactly(
                        "order: 201, replayed: true, " + order,
                        "order: 201, replayed: true, " + order,
                        "event: 200, {\"status\":\"already_processed\"}",
                        "event: 200, {\"status\":\"already_processed\"}",
                        "orders: 1, payments: 1, paid: 1999 cents");
    }

    @Test
    void onSqliteManyClientsPlaceOneOrder() throws Exception {
        assertOneOrderForManyClients("--orders.file=" + folder.resolve("orders.db"));
    }

    @Test
    void onPostgresManyClientsPlaceOneOrder() throws Exception {
        try (OrdersDatabase database = new OrdersDatabase()) {
            assertOneOrderForManyClients(arguments(database));
        }
    }

    /** Each client has its own Idempotency-Key, so the header does not help: the claim on the reference does. */
    private static void assertOneOrderForManyClients(String... arguments) throws Exception {
        try (ConfigurableApplicationContext service = start(arguments)) {
            OrderClient client = clientOf(service);
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
            List<HttpResponse<String>> answers = new ArrayList<>();
            try {
                List<Callable<HttpResponse<String>>> calls = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String key = "click-" + i;
                    calls.add(() -> client.order(key, "order-18", 500));
                }
                for (Future<HttpResponse<String>> answer : threads.invokeAll(calls)) {
                    answers.add(answer.get());
                }
            } finally {
                threads.shutdown();
            }
            // A duplicate that meets the open transaction waits for it.
            assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(201);
            assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
            assertThat(count(service, "orders")).isEqualTo(1);
        }
    }

    @Test
    void refusedRequestsChangeNothing() throws Exception {
        try (ConfigurableApplicationContext service = start("--orders.file=" + folder.resolve("orders.db"))) {
            OrderClient client = clientOf(service);
            client.order("click-1", "order-19", 500);

            assertThat(client.order("click-2", "order-19", 501).statusCode())
                    .as("another price under the same reference")
                    .isEqualTo(422);
            assertThat(client.paid("whsec_of_somebody", "evt_19", "order-19", 500)
                            .statusCode())
                    .as("a forged event")
                    .isEqualTo(401);
            assertThat(client.paid(STRIPE, "evt_20", "order-20", 500).statusCode())
                    .as("an order that does not exist")
                    .isEqualTo(503);
            assertThat(count(service, "orders")).isEqualTo(1);
            assertThat(count(service, "payments")).as("rolled back").isZero();

            client.order("click-3", "order-20", 500);
            assertThat(client.paid(STRIPE, "evt_20", "order-20", 500).statusCode())
                    .as("delivered again")
                    .isEqualTo(200);
            assertThat(count(service, "payments")).isEqualTo(1);
        }
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server.port=0");
        all.add("--semel.webhooks.stripe.secret=" + STRIPE);
        return SpringApplication.run(OrderService.class, all.toArray(String[]::new));
    }

    private static String[] arguments(OrdersDatabase database) {
        return new String[] {
            "--spring.datasource.url=" + database.url(),
            "--spring.datasource.username=" + database.user(),
            "--spring.datasource.password=" + database.password()
        };
    }

    private static OrderClient clientOf(ConfigurableApplicationContext service) {
        return new OrderClient(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    private static long count(ConfigurableApplicationContext service, String table) {
        return service.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM " + table, Long.class);
    }

    private static List<String> printedBy(String... arguments) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            OnceInBoot.main(arguments);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static final class OrdersDatabase extends FreshDatabase {
        OrdersDatabase() {
            super(PostgresServer.shared());
        }
    }
}
