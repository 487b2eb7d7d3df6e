// SPDX-License-Identifier: Apache-2.0
package dev.semel.modules;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.claim.StoreException;
import dev.semel.console.ConsoleFiles;
import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiGate;
import dev.semel.http.ApiReply;
import dev.semel.http.ApiRequest;
import dev.semel.http.ApiResult;
import dev.semel.http.ApiRules;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.journal.Journal;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.operations.Phone;
import dev.semel.operations.StepRequest;
import dev.semel.operations.Steps;
import dev.semel.payload.json.JsonString;
import dev.semel.redis.RedisHealth;
import dev.semel.redis.RedisReplayCache;
import dev.semel.servlet.IdempotencyFilter;
import dev.semel.servlet.Route;
import dev.semel.spi.ClaimStore;
import dev.semel.tracing.SemelTracing;
import dev.semel.webhooks.EventHandler;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.sqlite.SQLiteDataSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Calls each published module twice with the same request and prints the outcomes. */
final class SampleProgram {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());

    private SampleProgram() {}

    /** Expects a folder for the databases. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]);
        say("core", describe(Semel.class.getModule()));

        useCore("memory", new MemoryClaimStore());
        useJdbc(folder.resolve("claims.db"));
        useJournal(folder.resolve("journal.db"));
        useDynamo();
        useRedis();
        useJackson();
        useMicrometer();
        useTracing();
        try (Semel semel = Semel.on(new MemoryClaimStore()).secrets(SECRETS).build()) {
            useOperations(semel);
            useHttp(semel);
            useServlet(semel);
            useWebhooks(semel);
            useMessaging(semel);
        }
        // The files are resources of their own module.
        say("console", ConsoleFiles.load().page().name());
    }

    private static void useCore(String name, ClaimStore store) {
        try (Semel semel = Semel.on(store).secrets(SECRETS).build()) {
            for (int call = 1; call <= 2; call++) {
                say(name, semel.execute(CHARGE, CHARGE.key("acme", "order-17"), run -> "receipt 4711"));
            }
        }
    }

    private static void useJdbc(Path file) {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(file)) {
            useCore("jdbc", store);
            TransactionalClaims claims = TransactionalClaims.on(store, SECRETS);
            for (int call = 1; call <= 2; call++) {
                say(
                        "jdbc",
                        claims.inTransaction(
                                CHARGE, CHARGE.key("acme", "order-18"), (connection, run) -> "receipt 4712"));
            }
        }
    }

    /** The schema files of this module are read by the module {@code dev.semel.jdbc}. */
    private static void useJournal(Path file) {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:" + file);
        Journal.schema(dataSource).migrate();
        Journal.schema(dataSource).check();
        say("journal", "migrated");
    }

    /** No DynamoDB listens here: the SDK and its HTTP client find out. */
    private static void useDynamo() {
        try (DynamoDbAsyncClient client = DynamoDbAsyncClient.builder()
                .endpointOverride(URI.create("http://127.0.0.1:1"))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .overrideConfiguration(setup -> setup.apiCallTimeout(Duration.ofSeconds(2)))
                .build()) {
            say("dynamodb", DynamoClaimStore.on(client));
        } catch (StoreException e) {
            say("dynamodb", e.kind());
        }
    }

    /** No Redis listens here, which is no error: the cache then finds nothing. */
    private static void useRedis() {
        try (RedisReplayCache cache = RedisReplayCache.connect("redis://127.0.0.1:1", SECRETS)) {
            say("redis", cache.health() instanceof RedisHealth.Up);
        }
    }

    private static void useJackson() {
        Operation<List<Integer>> two =
                Operation.of("two", dev.semel.jackson2.JacksonCodec.of(new TypeReference<List<Integer>>() {}));
        Operation<Integer> three = Operation.of("three", dev.semel.jackson3.JacksonCodec.of(Integer.class));
        try (Semel semel = Semel.on(new MemoryClaimStore()).secrets(SECRETS).build()) {
            for (int call = 1; call <= 2; call++) {
                say("jackson2", semel.execute(two, two.key("acme", "order-17"), run -> List.of(17)));
                say("jackson3", semel.execute(three, three.key("acme", "order-17"), run -> 17));
            }
        }
    }

    private static void useMicrometer() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Semel semel = Semel.on(new MemoryClaimStore())
                .secrets(SECRETS)
                .listener(SemelMetrics.on(registry))
                .build()) {
            semel.execute(CHARGE, CHARGE.key("acme", "order-17"), run -> "receipt 4711");
        }
        say("micrometer", registry.get("idempotency.miss").counter().count());
    }

    private static void useTracing() {
        try (Semel semel = Semel.on(new MemoryClaimStore())
                .secrets(SECRETS)
                .observer(SemelTracing.on(OpenTelemetry.noop()))
                .build()) {
            say("tracing", semel.execute(CHARGE, CHARGE.key("acme", "order-17"), run -> "receipt 4711"));
        }
    }

    private static void useOperations(Semel semel) {
        say("operations", Phone.of("0788 123 456", "RW").isInternational());
        Steps steps = Steps.on(semel);
        StepRequest step = StepRequest.of("acme", "run-1", "send-invoice", new JsonString("invoice 17"));
        for (int call = 1; call <= 2; call++) {
            say("operations", steps.run(step, run -> new JsonString("sent")));
        }
    }

    private static void useHttp(Semel semel) {
        ApiGate gate = new ApiGate(semel);
        ApiRequest request = new ApiRequest(
                "POST",
                "/orders",
                "",
                "application/json",
                "{}".getBytes(StandardCharsets.UTF_8),
                "acme",
                "billing",
                "",
                Optional.of("key-1"),
                List.of());
        ApiResult created = new ApiResult.Complete(new ApiAnswer(201, List.of(), new byte[0]));
        for (int call = 1; call <= 2; call++) {
            ApiReply reply = gate.run(ApiRules.of("/orders"), request, attempt -> created);
            say("http", reply.getClass().getSimpleName());
        }
    }

    private static void useServlet(Semel semel) {
        IdempotencyFilter filter =
                IdempotencyFilter.on(semel).route(Route.of("/orders")).build();
        say("servlet", filter.getClass().getSimpleName());
    }

    private static void useWebhooks(Semel semel) {
        EventHandler handler = event -> CompletableFuture.completedFuture(null);
        WebhookGate gate = WebhookGate.on(semel)
                .acceptingUnverified()
                .build("paypal", Providers.of("paypal", ProviderConfig.none()), handler);
        WebhookRequest request = new WebhookRequest(
                "POST",
                "https://hooks.example/webhooks/paypal",
                DeliveryHeaders.single(Map.of()),
                "{\"id\":\"WH-1\"}".getBytes(StandardCharsets.UTF_8),
                "acme");
        for (int call = 1; call <= 2; call++) {
            say("webhooks", gate.receive(request).toCompletableFuture().join().kind());
        }
    }

    private static void useMessaging(Semel semel) {
        ConsumerGate<String> gate = ConsumerGate.<String>on(semel, "orders.place")
                .key(order -> order.isEmpty() ? null : order)
                .deadLetters((order, letter) -> say("messaging", letter.reason()))
                .build();
        for (int call = 1; call <= 2; call++) {
            say("messaging", gate.receive("order-17", (order, run) -> {}));
        }
        say("messaging", gate.receive("", (order, run) -> {}).acknowledged());
    }

    private static String describe(Module module) {
        return module.isNamed() ? "module " + module.getName() : "class path";
    }

    private static void say(String module, Object outcome) {
        System.out.println(module + ": " + outcome);
    }
}
