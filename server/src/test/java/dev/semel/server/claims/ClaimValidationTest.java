// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid claims and settlements are rejected with the name of the field. */
class ClaimValidationTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;
    private static ClaimClient claims;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
        claims = new ClaimClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aBadClaimInABatchIsNamedAndNothingIsClaimed() {
        Reply reply = server.post(
                "/v1/claims/batch",
                ClaimClient.json("{'claims':[{'scope':'batch','key':'never'},{'scope':'batch','key':''}]}"));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("field")).isEqualTo("/claims/1/key");
        assertThat(claims.claim("{'scope':'batch','key':'never'}").status()).isEqualTo(201);
    }

    /** A body, and the field that the problem names. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'key':'k'}                                       | /scope
            {'scope':'','key':'k'}                            | /scope
            {'scope':7,'key':'k'}                             | /scope
            {'scope':'s'}                                     | /key
            {'scope':'s','key':'k','inputs':1}                | /key
            {'scope':'s','key':null}                          | /key
            {'scope':'s','key':'a\\u0000b'}                   | /key
            {'scope':'s','key':'k','user_text':'t'}           | /user_text
            {'scope':'s','inputs':[1],'user_text':'t'}        | /user_text
            {'scope':'s','inputs':{'user_text':'a'},'user_text':'b'} | /user_text
            {'scope':'s','key':'k','lease_seconds':0}         | /lease_seconds
            {'scope':'s','key':'k','lease_seconds':1.5}       | /lease_seconds
            {'scope':'s','key':'k','lease_seconds':'9'}       | /lease_seconds
            {'scope':'s','key':'k','lease_seconds':86401}     | /lease_seconds
            {'scope':'s','key':'k','ttl_seconds':-1}          | /ttl_seconds
            {'scope':'s','key':'k','ttl_seconds':1e400}       | /ttl_seconds
            {'scope':'s','key':'k','wait_ms':30001}           | /wait_ms
            {'scope':'s','key':'k','on_stale':'RERUN'}        | /on_stale
            {'scope':'s','key':'k','fingerprint':''}          | /fingerprint
            {'scope':'s','key':'k','store':'SEALED'}          | /store
            {'scope':'s','key':'k','store':''}                | /store
            {'scope':'s','key':'k','store':null}              | /store
            {'scope':'s','inputs':1,'store':'exact'}          | /store
            {'scope':'s','key':'k','also_known_as':'a'}       | /also_known_as
            {'scope':'s','key':'k','also_known_as':null}      | /also_known_as
            {'scope':'s','inputs':1,'also_known_as':['a']}    | /also_known_as
            {'scope':'s','inputs':1,'also_known_as':[]}       | /also_known_as
            {'scope':'s','key':'k','also_known_as':['a',7]}   | /also_known_as/1
            {'scope':'s','key':'k','also_known_as':['']}      | /also_known_as/0
            {'scope':'s','key':'k','also_known_as':['a\\u0000']} | /also_known_as/0
            {'scope':'s','key':'k','also_known_as':['a','k']} | /also_known_as/1
            {'scope':'s','key':'k','also_known_as':['a','b','a']} | /also_known_as/2
            {'scope':'s','key':'k','also_known_as':['1','2','3','4','5','6','7','8','9']} | /also_known_as
            {'scope':'s','key':'k','alsoKnownAs':['a']}       | /alsoKnownAs
            {'scope':'s','key':'k','extra':1}                 | /extra
            ['scope']                                         | ``
            """)
    void badInputIsNamed(String body, String field) {
        Reply reply = claims.claim(body);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.problem()).isEqualTo("invalid-field");
        assertThat(reply.text("field")).isEqualTo(field);
    }

    @Test
    void keysHaveUpToOneThousandTwentyFourCharacters() {
        String longest = "\ud83d\ude00".repeat(1_024);

        Reply fits = claims.claim("{'scope':'s','key':'%s'}".formatted(longest));
        assertThat(fits.status()).isEqualTo(201);
        assertThat(fits.header("X-Idempotency-Key")).isEqualTo(fits.text("claim_id"));
        assertThat(claims.claim("{'scope':'s','key':'%sx'}".formatted(longest)).status())
                .isEqualTo(400);
    }

    @Test
    void settlementsNeedTheirFields() {
        Reply claim = claims.claim("{'scope':'s','key':'fields'}");

        assertThat(claims.settle(claim, "succeed", "'results':1").text("field")).isEqualTo("/result");
        assertThat(claims.settle(claim, "fail", "'retryable':'no'").text("field"))
                .isEqualTo("/retryable");
        assertThat(claims.settle(claim, "park", "'reason':''").text("field")).isEqualTo("/reason");
        assertThat(claims.settle(claim, "renew", "'lease_seconds':0").text("field"))
                .isEqualTo("/lease_seconds");
        assertThat(server.post("/v1/claims/xyz/succeed", ClaimClient.json("{'token':'t','result':1}"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void jsonIsReadStrictly() {
        assertThat(claims.claim("{'scope':'s','scope':'t','key':'k'}").text("field"))
                .isEqualTo("scope");
        assertThat(claims.claim("{'scope':'s',}").problem()).isEqualTo("invalid-json");
        assertThat(claims.claim("").problem()).isEqualTo("invalid-json");
        assertThat(server.send(server.request("/v1/claims")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString("a=b"))
                                .build())
                        .status())
                .isEqualTo(415);
    }
}
