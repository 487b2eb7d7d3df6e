// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Separation of tenants, for every operation with {@code x-belongs} in the document: another tenant receives exactly the
 * response for a thing that does not exist, cannot change it, and can use the same keys independently.
 */
@BlackBox
class TenantsTest {
    static final List<String> KINDS =
            List.of("none", "claim", "step", "payment", "ledger-event", "call", "inbox-event", "key", "decision");
    private static final String KEYS = "/v1/keys";
    private static final Ask TAKE = Ask.post(Webhooks.INBOX + "/take", new JsonObject());
    static final List<String> WAYS = List.of("key", "id", "list", "address", "signature", "lookup", "take");

    private static final RunningServer POSTGRES = Environment.POSTGRES.fresh(Configuration.production());

    @AfterAll
    static void stop() {
        POSTGRES.close();
    }

    /** Every database has its own statements. Names instead of objects, because JUnit closes parameters. */
    enum Place {
        SQLITE,
        MARIADB,
        POSTGRES;

        RunningServer server() {
            return switch (this) {
                case SQLITE -> Environment.SQLITE_PRODUCTION.shared();
                case MARIADB -> Environment.MARIADB_REDIS_PRODUCTION.shared();
                case POSTGRES -> TenantsTest.POSTGRES;
            };
        }
    }

    /** A thing of a tenant: the values of its path parameters, and what a settlement needs. */
    private record Thing(String id, String token) {}

    private static List<Operation> operations(RunningServer server, String by) {
        List<Operation> all = server.openApi().described().stream()
                .filter(operation -> operation.by().equals(by))
                .toList();
        assertThat(all).as("operations by " + by).isNotEmpty();
        return all;
    }

    // By id.

    @ParameterizedTest
    @EnumSource
    void thingsOfAnotherTenantLookAbsent(Place place) {
        RunningServer server = place.server();
        for (Operation operation : operations(server, "id")) {
            TenantPair pair = TenantPair.on(server);
            Thing thing = made(pair, operation.kind());
            String before = state(pair, operation.kind(), thing);
            for (Caller stranger : pair.strangers(operation)) {
                Thing nothing = new Thing(
                        List.of("claim", "key").contains(operation.kind())
                                ? Configuration.sha256(Marks.unique())
                                : UUID.randomUUID().toString(),
                        thing.token());
                Answer foreign = stranger.send(ask(operation, thing));
                Answer absent = stranger.send(ask(operation, nothing));

                assertThat(foreign.status()).as("%s: %s", operation, foreign).isBetween(400, 499);
                assertThat(seen(foreign, thing)).as("%s", operation).isEqualTo(seen(absent, nothing));
            }
            assertThat(state(pair, operation.kind(), thing))
                    .as("after %s by a stranger", operation)
                    .isEqualTo(before);
            assertThat(pair.owning(operation).send(ask(operation, thing)).status())
                    .as("%s by its owner", operation)
                    .isEqualTo(200);
        }
    }

    /** A response without the requested id. */
    private static String seen(Answer answer, Thing thing) {
        return "%d %s %s"
                .formatted(answer.status(), answer.mediaType(), answer.text().replace(thing.id(), "<id>"));
    }

    private static Thing made(TenantPair pair, String kind) {
        Caller owner = pair.server().client(pair.owner());
        return switch (kind) {
            case "claim" -> {
                JsonObject claim = Claims.granted(owner, Claims.on("tenants", "known to all"));
                yield new Thing(claim.getString("claim_id"), claim.getString("token"));
            }
            case "key", "decision" -> {
                JsonObject claim = Claims.granted(owner, Claims.on("tenants", "known to all"));
                String id = claim.getString("claim_id");
                JsonObject park =
                        new JsonObject().put("token", claim.getString("token")).put("reason", "lost");
                assertThat(owner.send(Ask.post(Claims.CLAIMS + "/" + id + "/park", park))
                                .status())
                        .isEqualTo(200);
                Thing key = new Thing(
                        id,
                        pair.server()
                                .operator(pair.owner())
                                .get(KEYS + "/" + id)
                                .json()
                                .getLong("fence")
                                .toString());
                if (kind.equals("decision")) {
                    assertThat(pair.server()
                                    .operator(pair.owner())
                                    .send(Ask.post(KEYS + "/" + id + "/fail", decision(key)))
                                    .status())
                            .isEqualTo(200);
                }
                yield key;
            }
            case "ledger-event" ->
                new Thing(Ledger.ingest(owner, Marks.text("key")).get("id"), "");
            case "call" ->
                new Thing(
                        pair.server()
                                .nobody()
                                .send(Calls.signed(
                                        pair.owner().site(),
                                        Calls.body(pair.owner().name())))
                                .get("call_id"),
                        "");
            case "inbox-event" -> {
                JsonObject event = new JsonObject().put("id", Marks.text("evt")).put("type", "charge.succeeded");
                Answer delivered = new Caller(pair.server().client(), owner.tenant(), Map.of())
                        .send(WebhookSenders.stripe(owner, event));
                assertThat(Webhooks.status(delivered)).isEqualTo("processed");
                String id = Webhooks.inbox(owner, 1).get(0).getString("id");
                yield new Thing(id, owner.send(TAKE).get("token"));
            }
            default -> throw new AssertionError("Add here how a thing of kind %s is made".formatted(kind));
        };
    }

    /** The thing as its owner sees it. */
    private static String state(TenantPair pair, String kind, Thing thing) {
        Caller owner = pair.server().operator(pair.owner());
        return switch (kind) {
            case "claim" -> {
                Answer again = Claims.claim(owner, Claims.on("tenants", "known to all"));
                yield again.status() + again.get("status");
            }
            case "key", "decision" -> owner.get(KEYS + "/" + thing.id()).get("status");
            case "ledger-event" ->
                owner.get(Ledger.EVENTS + "/" + thing.id()).text()
                        + Ledger.all(owner, 10).size();
            case "call" -> owner.get(Calls.CALLS + "/" + thing.id()).text();
            case "inbox-event" ->
                owner.get(Webhooks.INBOX + "/" + thing.id()).text() + Webhooks.stored(pair.server(), owner);
            default -> throw new AssertionError("Add here how a thing of kind %s is read".formatted(kind));
        };
    }

    private static Ask ask(Operation operation, Thing thing) {
        String path = operation.filled(name -> thing.id());
        JsonObject token = new JsonObject().put("token", thing.token());
        return switch (operation.id()) {
            case "succeed" -> Ask.post(path, token.put("result", "done"));
            case "fail" -> Ask.post(path, token.put("retryable", false));
            case "renew" -> Ask.post(path, token);
            case "park" -> Ask.post(path, token.put("reason", "lost"));
            case "acknowledge" -> Ask.post(path);
            case "giveBackEvent" -> Ask.post(path, token);
            case "replayWebhook" -> Ask.post(path, new JsonObject().put("reason", "lost"));
            case "releaseKey", "failKey", "succeedKey" -> Ask.post(path, decision(thing));
            case "ledgerEvent", "call", "inboxEvent", "key" -> Ask.get(path);
            default -> throw new AssertionError("Add here the request of %s".formatted(operation));
        };
    }

    private static JsonObject decision(Thing key) {
        return new JsonObject().put("fence", Long.parseLong(key.token())).put("reason", "seen at the bank");
    }

    @ParameterizedTest
    @EnumSource
    void aLookUpFindsOnlyTheTenantsOwn(Place place) {
        RunningServer server = place.server();
        for (Operation operation : operations(server, "lookup")) {
            TenantPair pair = TenantPair.on(server);
            if (operation.kind().equals("ledger-event")) {
                ledgerEventsAreFoundByTheirOwner(operation, pair);
                continue;
            }
            Thing thing = made(pair, operation.kind());
            Ask ask = Ask.post(operation.path(), new JsonObject().put("key", "known to all"));
            assertThat(pair.owning(operation).send(ask).text()).contains(thing.id());
            for (Caller stranger : pair.strangers(operation)) {
                assertThat(stranger.send(ask).json().getJsonArray("keys")).isEmpty();
            }
        }
    }

    private static void ledgerEventsAreFoundByTheirOwner(Operation operation, TenantPair pair) {
        String key = Marks.text("key");
        String id = Ledger.ingest(pair.server().client(pair.owner()), key).get("id");
        JsonObject body = new JsonObject().put("org_id", pair.owner().name()).put("idempotency_key", key);
        assertThat(pair.owning(operation).send(Ask.post(operation.path(), body)).text())
                .contains(id);
        for (Caller stranger : pair.strangers(operation)) {
            Answer foreign = stranger.send(Ask.post(operation.path(), body));
            assertThat(foreign.status()).isIn(401, 403, 404);
            assertThat(foreign.text()).doesNotContain(id);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheTenantsOwnEventsAreTaken(Place place) {
        RunningServer server = place.server();
        for (Operation operation : operations(server, "take")) {
            TenantPair pair = TenantPair.on(server);
            Thing thing = made(pair, operation.kind());
            Caller owner = pair.owning(operation);
            Ask giveBack = Ask.post(
                    "%s/%s/give-back".formatted(Webhooks.INBOX, thing.id()),
                    new JsonObject().put("token", thing.token()));
            assertThat(owner.send(giveBack).status()).isEqualTo(200);
            for (Caller stranger : pair.strangers(operation)) {
                assertThat(stranger.send(TAKE).json().getJsonArray("events")).isEmpty();
            }
            assertThat(owner.send(TAKE).text()).contains(thing.id());
        }
    }

    // By key.

    @ParameterizedTest
    @EnumSource
    void tenantsUseTheSameKeyIndependently(Place place) {
        RunningServer server = place.server();
        for (Operation operation : operations(server, "key")) {
            TenantPair pair = TenantPair.on(server);
            String key = Marks.text("key");
            Caller owner = pair.owning(operation);
            String first =
                    KeyedRequests.freshId(operation, owner.send(KeyedRequests.of(operation, owner.tenant(), key)));
            for (Caller stranger : pair.strangers(operation).subList(0, 1)) {
                String other = KeyedRequests.freshId(
                        operation, stranger.send(KeyedRequests.of(operation, stranger.tenant(), key)));
                assertThat(other).as("%s", operation).isNotEqualTo(first);
            }
            assertThat(KeyedRequests.isFresh(operation, owner.send(KeyedRequests.of(operation, owner.tenant(), key))))
                    .as("%s again by the owner", operation)
                    .isFalse();
            for (Caller stranger : pair.strangers(operation)) {
                Answer again = stranger.send(KeyedRequests.of(operation, stranger.tenant(), key));
                assertThat(KeyedRequests.isFresh(operation, again))
                        .as("%s: %s", operation, again)
                        .isFalse();
                assertThat(again.text()).doesNotContain(first);
            }
        }
    }

    /** Only the tenant that stored a result can read it, under any key. */
    @ParameterizedTest
    @EnumSource
    void aResultIsVisibleToItsTenantOnly(Place place) {
        RunningServer server = place.server();
        for (Operation operation : operations(server, "key")) {
            if (!List.of("claim", "step", "payment").contains(operation.kind())) {
                continue;
            }
            TenantPair pair = TenantPair.on(server);
            String key = Marks.text("key");
            Caller owner = pair.owning(operation);
            Answer granted = owner.send(KeyedRequests.of(operation, owner.tenant(), key));
            assertThat(Claims.succeed(owner, KeyedRequests.one(operation, granted), "the owner's")
                            .status())
                    .isEqualTo(200);

            for (Caller stranger : pair.strangers(operation).subList(0, 2)) {
                Answer other = stranger.send(KeyedRequests.of(operation, stranger.tenant(), key));
                assertThat(other.text()).as("%s", operation).doesNotContain("the owner's");
                if (KeyedRequests.isFresh(operation, other)) {
                    assertThat(Claims.succeed(stranger, KeyedRequests.one(operation, other), "the stranger's")
                                    .status())
                            .isEqualTo(200);
                }
            }
            assertThat(owner.send(KeyedRequests.of(operation, owner.tenant(), key))
                            .text())
                    .as("%s", operation)
                    .contains("the owner's")
                    .doesNotContain("the stranger's");
        }
    }

    /** A request with another tenant in its body is refused in the same way, whether that tenant exists or not. */
    @ParameterizedTest
    @EnumSource
    void noTenantWritesIntoAnotherLedger(Place place) {
        RunningServer server = place.server();
        TenantPair pair = TenantPair.on(server);
        Ledger.ingest(server.client(pair.owner()), Marks.text("key"));
        for (Operation operation : operations(server, "key")) {
            if (!operation.kind().equals("ledger-event")) {
                continue;
            }
            String key = Marks.text("key");
            for (Caller stranger : pair.strangers(operation)) {
                Answer foreign =
                        stranger.send(KeyedRequests.of(operation, pair.owner().name(), key));
                Answer absent = stranger.send(KeyedRequests.of(operation, Marks.name("nobody"), key));
                assertThat(foreign.text()).contains("/docs/problems/forbidden");
                assertThat(foreign.status()).isEqualTo(absent.status());
                assertThat(foreign.text()).isEqualTo(absent.text());
            }
        }
        assertThat(Ledger.all(server.client(pair.owner()), 10, 1)).hasSize(1);
    }

    // By lists.

    @ParameterizedTest
    @EnumSource
    void aListHoldsOnlyTheTenantsOwn(Place place) {
        RunningServer server = place.server();
        for (Operation operation : operations(server, "list")) {
            TenantPair pair = TenantPair.on(server);
            Thing thing = made(pair, operation.kind());
            Answer own =
                    awaited(pair.owning(operation), list(operation, pair.owner().name()), thing);
            String cursor = URLEncoder.encode(Page.of(own).cursor().orElseThrow(), StandardCharsets.UTF_8);

            for (Caller stranger : pair.strangers(operation)) {
                String mine = list(operation, stranger.tenant());
                assertThat(Page.of(stranger.get(mine)).items())
                        .as("%s", operation)
                        .isEmpty();
                String after = mine + (mine.contains("?") ? "&" : "?") + "after=" + cursor;
                assertThat(Page.of(stranger.get(after)).items())
                        .as("%s by the owner's cursor", operation)
                        .isEmpty();
                if (operation.belongs().containsKey("parameter")) {
                    Answer foreign = stranger.get(list(operation, pair.owner().name()));
                    Answer absent = stranger.get(list(operation, Marks.name("nobody")));
                    assertThat(foreign.status())
                            .as("%s: %s", operation, foreign)
                            .isEqualTo(absent.status());
                    assertThat(foreign.text()).isEqualTo(absent.text()).doesNotContain(thing.id());
                }
            }
        }
    }

    /** On PostgreSQL a page ends before the writes of open transactions. */
    private static Answer awaited(Caller caller, String path, Thing thing) {
        return await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(() -> caller.get(path), page -> page.text().contains(thing.id()));
    }

    private static String list(Operation operation, String tenant) {
        String parameter = operation.belongs().getString("parameter");
        return operation.path() + (parameter == null ? "" : "?%s=%s".formatted(parameter, tenant));
    }

    // By what is signed or addressed.

    /** The same event to two addresses is two events, each in its own inbox. */
    @ParameterizedTest
    @EnumSource
    void aDeliveryBelongsToItsAddress(Place place) {
        RunningServer server = place.server();
        assertThat(operations(server, "address"))
                .extracting(Operation::path)
                .containsExactlyInAnyOrder(
                        "/webhooks/{provider}", "/webhooks/{org}/{provider}", "/webhooks/{org}/{provider}/{secret}");
        TenantPair pair = TenantPair.on(server);
        Caller owner = server.client(pair.owner());
        Caller stranger = server.client(pair.stranger());
        JsonObject event = new JsonObject().put("id", Marks.text("evt")).put("type", "charge.succeeded");
        JsonObject payment =
                new JsonObject().put("orderId", Marks.text("order")).put("requestId", Marks.text("request"));
        for (Caller one : List.of(owner, stranger)) {
            assertThat(Webhooks.status(server.nobody().send(WebhookSenders.stripe(one, event))))
                    .isEqualTo("processed");
            assertThat(Webhooks.status(server.nobody().send(WebhookSenders.stripe(one, event))))
                    .isEqualTo("already_processed");
            Ask secret = Ask.post("/webhooks/%s/momo/%s".formatted(one.tenant(), WebhookSenders.URL_SECRET), payment);
            assertThat(Webhooks.status(server.nobody().send(secret))).isEqualTo("processed");
            assertThat(Webhooks.status(server.nobody().send(secret))).isEqualTo("already_processed");
        }
        assertThat(Webhooks.stored(server, owner)).isEqualTo(2);
        assertThat(Webhooks.stored(server, stranger)).isEqualTo(2);
        assertThat(Webhooks.inbox(owner, 2))
                .extracting(one -> one.getString("id"))
                .doesNotContainAnyElementsOf(Webhooks.inbox(stranger, 2).stream()
                        .map(one -> one.getString("id"))
                        .toList());
    }

    /** A site's secret and its signatures are valid for this site only. */
    @ParameterizedTest
    @EnumSource
    void aSignatureIsValidForItsSiteOnly(Place place) {
        RunningServer server = place.server();
        assertThat(operations(server, "signature")).extracting(Operation::path).containsExactly(Calls.EVENT);
        TenantPair pair = TenantPair.on(server);
        Configuration.Site mine = pair.stranger().site();
        String body = Calls.body(pair.owner().name());
        Ask forged = Calls.signed(new Configuration.Site(pair.owner().name(), mine.secret()), body);
        Problem.isProblem(server.nobody().send(forged), 401);
        Ask right = Calls.signed(pair.owner().site(), body);
        assertThat(server.nobody().send(right).status()).isEqualTo(201);
        Ask moved = right.json(body.replace(pair.owner().name(), mine.id()));
        Problem.isProblem(server.nobody().send(moved), 401);
        assertThat(Calls.of(server.client(pair.stranger()), mine.id())).isEmpty();
    }
}
