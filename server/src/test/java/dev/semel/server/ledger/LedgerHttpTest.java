// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger over HTTP, on the real server with SQLite: field errors and pages. */
class LedgerHttpTest {
    private static final String INGEST = "/api/ledger/ingest";
    private static final String EVENTS = "/api/ledger/events";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The body and the pointer to the error. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            []                                                                          | ``
            {'event':{'org_id':'wrong','event_type':'t'}}                               | /idempotency_key
            {'idempotency_key':7,'event':{'org_id':'wrong','event_type':'t'}}           | /idempotency_key
            {'idempotency_key':'k'}                                                     | /event
            {'idempotency_key':'k','event':'text'}                                      | /event
            {'idempotency_key':'k','event':{'event_type':'t'}}                          | /event/org_id
            {'idempotency_key':'k','event':{'org_id':7,'event_type':'t'}}               | /event/org_id
            {'idempotency_key':'k','event':{'org_id':'','event_type':'t'}}              | /event/org_id
            {'idempotency_key':'k','event':{'org_id':'a\\u0000b','event_type':'t'}}     | /event/org_id
            {'idempotency_key':'k','event':{'org_id':'wrong'}}                          | /event/event_type
            {'idempotency_key':'k','event':{'org_id':'wrong','event_type':null}}        | /event/event_type
            {'idempotency_key':'k','event':{'org_id':'wrong','event_type':'t','id':1}}  | /event/id
            {'idempotency_key':'k','event':{'org_id':'wrong','event_type':'t','event_id':1}} | /event/event_id
            {'idempotency_key':'k','event':{'org_id':'wrong','event_type':'t','created_at':1}} | /event/created_at
            {'idempotency_key':'k','event':{'org_id':'wrong','event_type':'t'},'evnt':1} | /evnt
            """)
    void namesTheFieldThatIsWrong(String body, String field) {
        Reply reply = server.post(INGEST, json(body));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.problem()).isEqualTo("invalid-field");
        assertThat(reply.text("field")).isEqualTo(field);
        assertThat(ids(page("wrong", ""))).isEmpty();
    }

    /** A single request has the differences in a header, a batch in its line. */
    @Test
    void aDuplicateReportsTheDifferences() {
        String event = json("{'idempotency_key':'differs','event':{'org_id':'d','event_type':'t','payload':{'n':%d}}}");
        String id = server.post(INGEST, event.formatted(1)).text("id");

        Reply same = server.post(INGEST, event.formatted(1));
        Reply other = server.post(INGEST, event.formatted(2));
        Reply lines = server.post(INGEST + "/batch", event.formatted(1) + "\n" + event.formatted(2));

        assertThat(List.of(same.status(), other.status())).containsOnly(200);
        assertThat(List.of(same.text("id"), other.text("id"))).containsOnly(id);
        assertThat(List.of(same.header("Idempotent-Replayed"), other.header("Idempotent-Replayed")))
                .containsOnly("true");
        assertThat(same.header("Idempotency-Differs")).isEmpty();
        assertThat(other.header("Idempotency-Differs")).isEqualTo("/payload/n");
        assertThat(lines.body().lines())
                .containsExactly(
                        json("{'status':200,'id':'%1$s','event_id':'%1$s'}").formatted(id),
                        json("{'status':200,'id':'%1$s','event_id':'%1$s','differs':'/payload/n'}")
                                .formatted(id));
    }

    @Test
    void anOrganizationHasAsManyCharactersAsItsColumn() {
        assertThat(ingest("k", "o".repeat(255)).status()).isEqualTo(201);
        assertThat(ingest("k", "o".repeat(256)).text("field")).isEqualTo("/event/org_id");
    }

    @Test
    void pagesEndWhereTheEventsDo() {
        for (String key : List.of("a", "b", "c")) {
            assertThat(ingest(key, "paged").status()).isEqualTo(201);
        }

        Reply first = page("paged", "&limit=2");
        Reply second = page("paged", "&limit=2&after=" + first.text("next"));
        Reply beyond = page("paged", "&after=" + second.text("next"));

        assertThat(ids(first)).hasSize(2);
        assertThat(first.member("more")).isEqualTo(new JsonBoolean(true));
        assertThat(ids(second)).hasSize(1).doesNotContainAnyElementsOf(ids(first));
        assertThat(second.member("more")).isEqualTo(new JsonBoolean(false));
        assertThat(ids(beyond)).isEmpty();
        assertThat(beyond.text("next")).as("continues from its position").isEqualTo(second.text("next"));
        assertThat(page("paged", "&limit=3").member("more"))
                .as("exactly as many as exist")
                .isEqualTo(new JsonBoolean(false));
        assertThat(ids(page("paged", "&after=&limit=1000")))
                .as("an empty cursor counts as absent")
                .hasSize(3);
        assertThat(ids(page("nobody", ""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=1001", "limit=01000", "limit=", "limit=1&limit=1", "after=x&after=x", "after=x"})
    void pagesNameTheParameterThatIsWrong(String parameters) {
        Reply reply = page("paged", "&" + parameters);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("field")).isEqualTo(parameters.substring(0, parameters.indexOf('=')));
    }

    @Test
    void pagesNeedAnOrganization() {
        for (String path : List.of(EVENTS, EVENTS + "?org_id=", EVENTS + "?org_id=a&org_id=a")) {
            assertThat(server.get(path).text("field")).as(path).isEqualTo("org_id");
        }
    }

    @Test
    void anEventIsFoundByItsIdAlone() {
        String id = ingest("k", "finders").text("id");

        assertThat(server.get(EVENTS + "/" + id).status()).isEqualTo(200);
        assertThat(server.get(EVENTS + "/" + id + "?org_id=finders").status()).isEqualTo(200);
        assertThat(server.get(EVENTS + "/" + id + "?org_id=others").problem()).isEqualTo("not-found");
        assertThat(server.get(EVENTS + "/" + id.substring(1)).problem()).isEqualTo("not-found");
    }

    @Test
    void aKeyThatNoHeaderTakesIsShownAsADigest() {
        Reply first = ingest("schlüssel 1", "shown");
        Reply second = ingest("schlüssel 2", "shown");

        assertThat(first.header("X-Idempotency-Key")).matches("[0-9a-f]{64}");
        assertThat(second.header("X-Idempotency-Key")).isNotEqualTo(first.header("X-Idempotency-Key"));
        assertThat(ingest("schlüssel 1", "shown").header("X-Idempotency-Key"))
                .isEqualTo(first.header("X-Idempotency-Key"));
    }

    private static Reply ingest(String key, String organization) {
        return server.post(
                INGEST,
                json("{'idempotency_key':'%s','event':{'org_id':'%s','event_type':'t'}}".formatted(key, organization)));
    }

    private static Reply page(String organization, String parameters) {
        return server.get(EVENTS + "?org_id=" + organization + parameters);
    }

    private static List<String> ids(Reply page) {
        return ((JsonArray) page.member("events"))
                .elements().stream()
                        .map(event ->
                                ((JsonString) ((JsonObject) event).member("id").orElseThrow()).value())
                        .toList();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
