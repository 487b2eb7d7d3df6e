// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.Fingerprint;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonString;
import org.junit.jupiter.api.Test;

class FingerprintsTest {
    /** If this fails, correct the code and not the test: stored fingerprints would not match any more. */
    @Test
    void areStableAcrossVersions() {
        Fingerprint fingerprint = Fingerprints.of("acme")
                .text("method", "POST")
                .text("path", "/orders")
                .json("body", json("{ \"b\": 1.0, \"a\": [] }"))
                .field("raw", new byte[] {1, 2})
                .fingerprint();

        assertThat(fingerprint)
                .isEqualTo(Fingerprint.of(
                        "acme",
                        "method",
                        "text",
                        "POST",
                        "path",
                        "text",
                        "/orders",
                        "body",
                        "json",
                        "{\"a\":[],\"b\":1}",
                        "raw",
                        "bytes",
                        "\u0001\u0002"));
        assertThat(fingerprint.hex()).isEqualTo("17813a407d148383d0159e6e3d1ef1f09fe2c64788a52a90d7046cb3e6e982af");
    }

    /** Row 23 of docs/failures.md. */
    @Test
    void row23_boundariesOfFieldsMatter() {
        assertThat(Fingerprints.of("t").text("a", "bc").fingerprint())
                .isNotEqualTo(Fingerprints.of("t").text("ab", "c").fingerprint())
                .isNotEqualTo(Fingerprints.of("ta").text("", "bc").fingerprint());
        assertThat(Fingerprints.of("t").text("a", "1").text("b", "2").fingerprint())
                .isNotEqualTo(Fingerprints.of("t").text("b", "2").text("a", "1").fingerprint());
    }

    @Test
    void differByTenantNameKindAndContent() {
        Fingerprint one = Fingerprints.of("t").text("a", "1").fingerprint();

        assertThat(one)
                .isEqualTo(Fingerprints.of("t").text("a", "1").fingerprint())
                .isNotEqualTo(Fingerprints.of("u").text("a", "1").fingerprint())
                .isNotEqualTo(Fingerprints.of("t").text("b", "1").fingerprint())
                .isNotEqualTo(Fingerprints.of("t").json("a", json("1")).fingerprint())
                .isNotEqualTo(
                        Fingerprints.of("t").field("a", "1".getBytes(UTF_8)).fingerprint())
                .isNotEqualTo(Fingerprints.of("t").text("a", "2").fingerprint());
    }

    @Test
    void leaveVolatileMembersOut() {
        String first =
                "{\"amount\":5,\"createdAt\":\"1\",\"lines\":[{\"ts\":1,\"sku\":\"a\"}],\"meta\":{\"try\":1,\"x\":1}}";
        String retry =
                "{\"lines\":[{\"sku\":\"a\",\"ts\":2}],\"amount\":5.0,\"created_at\":\"2\",\"meta\":{\"try\":2,\"x\":1}}";
        VolatileMembers leftOut = VolatileMembers.TIMESTAMPS.andPointers("/meta/try");

        assertThat(body(first, leftOut)).isEqualTo(body(retry, leftOut));
        assertThat(body(first, VolatileMembers.TIMESTAMPS)).isNotEqualTo(body(retry, VolatileMembers.TIMESTAMPS));
        assertThat(body(first, leftOut)).isNotEqualTo(body(retry.replace("5.0", "5.01"), leftOut));
    }

    @Test
    void leaveOutOnlyNamedMembers() {
        VolatileMembers leftOut = VolatileMembers.NONE.andNames("requestId").andPointers("/list/0", "/a~1b");

        assertThat(leftOut.leftOutOf(
                        json("{\"requestId\":1,\"x\":{\"requestId\":2,\"requestid\":3},\"list\":[1,2],\"a/b\":1}")))
                .isEqualTo(json("{\"x\":{\"requestid\":3},\"list\":[2]}"));
        assertThat(VolatileMembers.NONE.leftOutOf(json("{\"ts\":1}"))).isEqualTo(json("{\"ts\":1}"));
        assertThat(leftOut.leftOutOf(new JsonString("requestId"))).isEqualTo(new JsonString("requestId"));
    }

    @Test
    void rejectAPointerToTheWholeDocument() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VolatileMembers.NONE.andPointers(""))
                .withMessageContaining("point to a member, such as /meta/sent");
    }

    private static Fingerprint body(String text, VolatileMembers leftOut) {
        return Fingerprints.of("t").json("body", json(text), leftOut).fingerprint();
    }

    private static Json json(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }
}
