// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static dev.semel.server.claims.ClaimClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a claim's result is stored, and what a replay returns. */
class ClaimStorageTest {
    private static final String PARTIAL = "'parts of the result were removed or masked when it was stored'";
    private static final String PERHAPS = "'parts of the result may have been removed or masked when it was stored'";
    private static final String SECRET = "{'ok':true,'password':'geheim','phone':'+41791234567'}";

    @TempDir
    static Path folder;

    private static InProcessServer server;
    private static ClaimClient client;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
        client = new ClaimClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The claim, the letter in its token, the result, and the end of the replay. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'key':'a'                      | s | {'password':'p','n':1.0} | {'password':'p','n':1.0} | exact     |
            'key':'b','store':'sealed'     | s | {'password':'p'}         | {'password':'p'}         | exact     |
            'key':'c','store':'sanitised'  | k | {'password':'p','n':1.0} | {'password':'[REDACTED]','n':1.0} | sanitised | part
            'key':'d','store':'sanitised'  | k | {'n':1.0,'t':'x'}        | {'n':1.0,'t':'x'}        | sanitised |
            'key':'e','store':'none'       | n | {'n':1}                  | null                     | none      | by its settings, nothing is stored of this result
            'inputs':'f'                   | i | {'ok':true,'plan':'x'}   | {'ok':true}              | sanitised | part
            'inputs':'g'                   | i | {'plan':'x'}             | {}                       | sanitised | part
            'inputs':'h'                   | i | {'ok':true,'data':{'n':1}} | {'ok':true,'data':{'n':1}} | sanitised |
            'inputs':'i'                   | i | {}                       | {}                       | sanitised |
            'inputs':'j'                   | i | 'raw'                    | null                     | none      | nothing of this result may be stored: it is no JSON object
            'inputs':'k','store':'sanitised' | i | {'ok':true,'plan':'x'} | {'ok':true}              | sanitised | part
            'inputs':'l','store':'sealed'  | s | {'plan':'x'}             | {'plan':'x'}             | exact     |
            'inputs':'m','store':'none'    | n | {'ok':true}              | null                     | none      | by its settings, nothing is stored of this result
            'key':'n'                      | s | null                     | null                     | exact     |
            """)
    void storesAsAskedAndSaysWhatIsMissing(
            String what, String letter, String result, String replayed, String form, String note) {
        String body = "{'scope':'storage',%s}".formatted(what);
        Reply claim = client.granted(body);
        assertThat(claim.text("token")).startsWith(letter + "_");

        client.succeeded(claim, result);
        client.succeeded(claim, result);

        String said = note == null ? "" : ",'result_note':" + (note.equals("part") ? PARTIAL : "'" + note + "'");
        String expected = json("{'status':'succeeded','result':%s,'result_form':'%s'%s,'cached':true}"
                .formatted(replayed, form, said));
        assertThat(client.claim(body).body()).isEqualTo(expected);
        assertThat(text(client.batch(body).get(0))).isEqualTo(expected);
    }

    @Test
    void aFailureIsStoredAsASuccessIs() {
        for (String store : List.of("sealed", "sanitised", "none")) {
            String body = "{'scope':'failures','key':'%s','store':'%s'}".formatted(store, store);
            Reply claim = client.granted(body);
            assertThat(client.settle(claim, "fail", "'retryable':false,'result':" + SECRET)
                            .status())
                    .isEqualTo(200);
            Reply replay = client.claim(body);
            assertThat(replay.text("status")).isEqualTo("failed");
            assertThat(replay.text("result_form")).isEqualTo(store.equals("sealed") ? "exact" : store);
            assertThat(replay.body().contains("geheim")).isEqualTo(store.equals("sealed"));
        }
    }

    @Test
    void phonesInASanitisedResultAreMaskedWhetherTextOrNumber() {
        String body = "{'scope':'charge','key':'phones','store':'sanitised'}";
        client.succeeded(
                client.granted(body),
                "{'msisdn':250788123456,'payer':{'partyId':'250788123456'},'from':16505551234,'order':16505551234}");

        assertThat(client.claim(body).body())
                .contains("\"result\":{\"msisdn\":\"********3456\",\"payer\":{\"partyId\":\"********3456\"},"
                        + "\"from\":\"********234\",\"order\":16505551234}");
    }

    @Test
    void aPaymentIsSanitisedAndSaysSo() {
        client.succeeded(client.payment("tx-1"), SECRET);
        client.succeeded(client.payment("tx-2"), "{'ok':true}");

        assertThat(client.payment("tx-1").body()).contains("[REDACTED]", json("'result_note':" + PARTIAL));
        assertThat(client.payment("tx-2").body()).contains("\"sanitised\"").doesNotContain("result_note");
    }

    @Test
    void elementsOfABatchSayHowTheyAreStored() {
        String claims = "{'scope':'batch','key':'a'},{'scope':'batch','key':'b','store':'sanitised'},"
                + "{'scope':'batch','key':'c','store':'none'},{'scope':'batch','inputs':'d'}";
        for (JsonObject granted : client.batch(claims)) {
            assertThat(client.settle(word(granted, "claim_id"), word(granted, "token"), "succeed", "'result':" + SECRET)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(client.batch(claims))
                .extracting(verdict -> word(verdict, "result_form"))
                .containsExactly("exact", "sanitised", "none", "sanitised");
        Reply wrong = server.post("/v1/claims/batch", json("{'claims':[{'scope':'batch','key':'x','store':'no'}]}"));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.text("field")).isEqualTo("/claims/0/store");
    }

    /** The owner's choice counts for all. What later callers request does not change what is stored. */
    @Test
    void theOwnersChoiceCounts() {
        client.succeeded(client.granted("{'scope':'choice','key':'a'}"), SECRET);

        assertThat(client.claim("{'scope':'choice','key':'a','store':'none'}").text("result_form"))
                .isEqualTo("exact");
    }

    /** During a rolling upgrade, a claim is granted by the old version and settled at the new one. */
    @ParameterizedTest
    @CsvSource({"k,_,sanitised", "i,_,sanitised", "p,_,sanitised", "s,_,exact", "k,id,sanitised", "i,id,sanitised"})
    void aTokenOfAnEarlierVersionSettlesAsItSays(String letter, String id, String form) {
        String body = "{'scope':'upgrade','key':'%s%s'}".formatted(letter, id);
        Reply claim = client.granted(body);
        String before = id.equals("id")
                ? claim.text("token").replaceFirst("^s", letter)
                : claim.text("token").replaceFirst("^s_[0-9a-f]{16}_", letter + "_");

        for (int i = 0; i < 2; i++) {
            assertThat(client.settle(claim.text("claim_id"), before, "succeed", "'result':" + SECRET)
                            .status())
                    .isEqualTo(200);
        }

        Reply replay = client.claim(body);
        assertThat(replay.text("result_form")).isEqualTo(form);
        assertThat(replay.body().contains("geheim")).isEqualTo(form.equals("exact"));
    }

    /** Earlier versions did not record whether anything was removed. */
    @Test
    void whatAnEarlierVersionStoredMayLackSomething(@TempDir Path other) throws SQLException {
        String body = "{'scope':'upgrade','key':'stored','store':'sanitised'}";
        Reply claim;
        try (InProcessServer before = InProcessServer.in(other)) {
            claim = new ClaimClient(before).granted(body);
            new ClaimClient(before).succeeded(claim, SECRET);
        }
        asAnEarlierVersionStores(other);
        try (InProcessServer after = InProcessServer.in(other)) {
            ClaimClient now = new ClaimClient(after);
            now.succeeded(claim, SECRET);
            assertThat(now.settle(claim, "succeed", "'result':{'ok':false}").problem())
                    .isEqualTo("ownership-lost");
            Reply replay = now.claim(body);
            assertThat(replay.text("result_form")).isEqualTo("sanitised");
            assertThat(json("'" + replay.text("result_note") + "'")).isEqualTo(json(PERHAPS));
        }
    }

    private static void asAnEarlierVersionStores(Path other) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + other.resolve("data/semel.db"));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE idempotency_keys SET result_type = 'sanitised:application/json'"
                            + " WHERE result_type = 'sanitised:application/json;partial'"))
                    .isEqualTo(1);
        }
    }

    private static String word(JsonObject verdict, String name) {
        return ((JsonString) verdict.member(name).orElseThrow()).value();
    }

    private static String text(JsonObject verdict) {
        return new String(verdict.utf8(), StandardCharsets.UTF_8);
    }
}
