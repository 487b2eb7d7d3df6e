// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static dev.semel.testkit.Commands.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.admin.RecordFinder.Match;
import dev.semel.admin.RecordFinder.Matches;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The look-up by prefix, with records of which a few are found. */
class KeysApiTest {
    private final MemoryClaimStore store = new MemoryClaimStore();
    private final List<String> asked = new ArrayList<>();
    private boolean more;

    private final KeysApi api = new KeysApi(
            Keys.on(store, Secrets.of("a secret of this test, for tests only")),
            (ref, json) -> new StoredResult("json", json.utf8()),
            this::records);

    private Matches records(String tenant, String digits, int limit) {
        asked.add(digits);
        return new Matches(List.of(new Match("inbox_event", tenant + limit, "/v1/inbox/1", Instant.EPOCH)), more);
    }

    private void claimed(String digits) {
        store.apply(List.of(insert(ref(digits), "pay", Terms.DEFAULT)));
    }

    private static ClaimRef ref(String digits) {
        return new ClaimRef("acme", Digest.ofHex(digits + "0".repeat(64 - digits.length())));
    }

    private JsonObject found(String prefix, String limit) {
        AdminRoute route = api.routes().get(0);
        Map<String, String> query = Map.of("prefix", prefix, "limit", limit);
        return (JsonObject) route.handler().answer(new AdminRequest("acme", "ann", true, Map.of(), query, null));
    }

    private static List<Json> list(JsonObject answer, String name) {
        return ((JsonArray) answer.member(name).orElseThrow()).elements();
    }

    @ParameterizedTest
    @CsvSource({
        "0f3a9c21b47de, 0f3a9c21b47de",
        "0F3A9C, 0f3a9c",
        "ev_0f3a9c21b47de, 0f3a9c21b47de",
        "replay_0f3a9c21b, 0f3a9c21b",
        "PKEY_0f3a9c21b47, 0f3a9c21b47",
        "transact0f3a9c21, 0f3a9c21"
    })
    void everyFormOfAPrefixIsAccepted(String shown, String digits) {
        claimed("0f3a9c21b47de");
        claimed("ffffffffffffff");

        JsonObject found = found(shown, "10");

        assertThat(asked).containsExactly(digits);
        assertThat(list(found, "keys")).hasSize(1);
        assertThat(list(found, "records")).hasSize(1);
        assertThat(found.member("more")).contains(new JsonBoolean(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"01234", "ev_01234", "_0123456", "ev_0f3a9c_21b", "longerword_012345", "transact0f3a9c2g"})
    void otherTextsAreRefused(String wrong) {
        assertThatThrownBy(() -> found(wrong, "10"))
                .isInstanceOf(AdminException.class)
                .hasMessageContaining("dedup_key_prefix");
        assertThat(asked).isEmpty();
    }

    @Test
    void moreIsToldOfClaimsAndOfRecords() {
        claimed("0123456aaaa");
        claimed("0123456bbbb");

        assertThat(found("0123456", "2").member("more")).contains(new JsonBoolean(false));
        JsonObject one = found("0123456", "1");
        assertThat(list(one, "keys")).hasSize(1);
        assertThat(one.member("more")).contains(new JsonBoolean(true));
        more = true;
        assertThat(found("0123456", "2").member("more")).contains(new JsonBoolean(true));
        assertThat(((JsonObject) list(one, "records").get(0)).member("id")).contains(new JsonString("acme1"));
    }

    @Test
    void anAliasLeadsToTheRecordsOfItsClaim() {
        ClaimRef ref = ref("aaaaaaaaaa");
        store.apply(List.of(insert(ref, List.of(ref("bbbbbbbbbb")))));

        JsonObject found = found("ev_bbbbbbbbbb", "10");

        assertThat(asked).containsExactly("bbbbbbbbbb", ref.digest().hex());
        assertThat(list(found, "keys")).hasSize(1);
        assertThat(list(found, "records")).as("each record once").hasSize(1);
    }
}
