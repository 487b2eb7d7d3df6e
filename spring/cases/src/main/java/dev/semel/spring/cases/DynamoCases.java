// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spring.Idempotent;
import dev.semel.spring.TransactionMode;
import dev.semel.testservers.DynamoServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Claims in DynamoDB, in an application without a data source. */
public abstract class DynamoCases {
    private static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("anyKey", "anySecret"));

    private final String table = "spring_" + UUID.randomUUID();

    private List<String> properties(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "semel.secret=" + RunningShop.SECRET,
                "semel.store=dynamodb",
                "semel.dynamodb.table=" + table,
                "semel.redis.enabled=false",
                "spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "spring.main.banner-mode=off",
                "spring.flyway.enabled=false",
                "management.health.redis.enabled=false",
                "management.endpoints.web.exposure.include=health",
                "management.endpoint.health.show-details=always",
                "server.address=127.0.0.1",
                "server.port=0",
                "logging.level.root=WARN"));
        all.addAll(List.of(more));
        return all;
    }

    /** The properties of an application whose client Semel makes. */
    private List<String> ownClient(String... more) {
        List<String> all = properties(
                "semel.dynamodb.create-table=true",
                "semel.dynamodb.region=eu-central-1",
                "semel.dynamodb.endpoint=" + DynamoServer.shared().endpoint());
        all.addAll(List.of(more));
        return all;
    }

    private static ConfigurableApplicationContext run(Class<?> application, List<String> properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.SERVLET)
                .run(RunningShop.arguments(properties));
    }

    private static void assertRefused(Output output, String... parts) {
        assertThat(output.failure()).isNotNull();
        assertThat(output.text())
                .contains("APPLICATION FAILED TO START", "Action:")
                .contains(parts);
    }

    /** Counts how often each key ran. */
    static class Counter {
        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

        int runs(String id) {
            return runs.getOrDefault(id, new AtomicInteger()).get();
        }

        @Idempotent(scope = "dynamo.once", key = "#p0", waitUpTo = "30s")
        public String once(String id) {
            runs.computeIfAbsent(id, any -> new AtomicInteger()).incrementAndGet();
            return "done " + id;
        }
    }

    /** Has the beans that Spring Cloud AWS makes. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Counter counter() {
            return new Counter();
        }

        @Bean
        AwsCredentialsProvider credentials() {
            return CREDENTIALS;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Application.class)
    static class WithClient {
        @Bean
        DynamoDbAsyncClient client() {
            return DynamoDbAsyncClient.builder()
                    .endpointOverride(DynamoServer.shared().endpoint())
                    .region(Region.EU_CENTRAL_1)
                    .credentialsProvider(CREDENTIALS)
                    .build();
        }
    }

    @Test
    void twoInstancesActAsOne() throws Exception {
        try (ConfigurableApplicationContext first = run(Application.class, ownClient());
                ConfigurableApplicationContext second = run(WithClient.class, properties())) {
            assertThat(first.getBean(ClaimStore.class)).isInstanceOf(DynamoClaimStore.class);
            Counter here = first.getBean(Counter.class);
            Counter there = second.getBean(Counter.class);
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String id = "i-" + i / 4;
                Counter instance = i % 2 == 0 ? here : there;
                calls.add(CompletableFuture.runAsync(
                        () -> assertThat(instance.once(id)).isEqualTo("done " + id), task -> new Thread(task).start()));
            }
            for (CompletableFuture<Void> call : calls) {
                call.get(60, TimeUnit.SECONDS);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(here.runs("i-" + i) + there.runs("i-" + i)).isEqualTo(1);
            }
        }
    }

    @Test
    void healthShowsTheTableAndItsLoss() throws Exception {
        try (ConfigurableApplicationContext context =
                run(WithClient.class, properties("semel.dynamodb.create-table=true"))) {
            assertThat(health(context).body()).contains("\"store\":\"DynamoDB table " + table + "\"");

            context.getBean(DynamoDbAsyncClient.class)
                    .deleteTable(request -> request.tableName(table))
                    .join();

            HttpResponse<String> health = health(context);
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("\"status\":\"DOWN\"").doesNotContain("anySecret");
        }
    }

    private static HttpResponse<String> health(ConfigurableApplicationContext context) throws Exception {
        return get(context, "/actuator/health/semel");
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aMissingTableIsRefusedWithTheFix() {
        assertRefused(
                Output.of(() -> run(WithClient.class, properties()).close()),
                table,
                "semel.dynamodb.create-table=true",
                "table.template.json");
    }

    @Test
    void theAdminApiIsServed() throws Exception {
        try (ConfigurableApplicationContext context = run(Application.class, ownClient("semel.admin.enabled=true"))) {
            assertThat(get(context, "/semel/v1/keys").statusCode())
                    .as("an authenticated user is required")
                    .isEqualTo(401);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Application.class)
    static class Joins {
        @Idempotent(scope = "dynamo.join", key = "#p0", transaction = TransactionMode.JOIN)
        public String join(String id) {
            return id;
        }
    }

    @Test
    void noTransactionOfSpringIsJoined() {
        try (ConfigurableApplicationContext context = run(Joins.class, ownClient())) {
            assertThatThrownBy(() -> context.getBean(Joins.class).join("j"))
                    .hasStackTraceContaining("semel.store=dynamodb");
        }
    }
}
