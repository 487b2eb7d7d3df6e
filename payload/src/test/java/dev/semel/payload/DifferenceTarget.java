// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.compare.Change;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.compare.Fingerprints;
import dev.semel.payload.compare.SketchLimits;
import dev.semel.payload.compare.Sketches;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonPointer;
import java.util.Arrays;

/** Two documents, separated by a line feed, have a difference and different fingerprints if and only if they are not equal. */
final class DifferenceTarget {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Sketches SKETCHES =
            Sketches.by(Secrets.of(SECRET), VolatileMembers.NONE, SketchLimits.DEFAULT);
    private static final ClaimRef CLAIM =
            new KeyDigests(SECRET).refOf(ClaimMode.LEASED, new ClaimKey("acme", "orders", "order-17"));

    private DifferenceTarget() {}

    static void accept(byte[] input) {
        int end = 0;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        Json before;
        Json now;
        try {
            before = Json.parse(Arrays.copyOf(input, end));
            now = Json.parse(Arrays.copyOfRange(input, Math.min(end + 1, input.length), input.length));
        } catch (JsonException e) {
            return;
        }
        boolean equal = before.equals(now);
        assertThat(fingerprint(before).equals(fingerprint(now))).isEqualTo(equal);
        Difference difference = Difference.between(before, now, SketchLimits.DEFAULT);
        assertThat(difference.changes().isEmpty()).isEqualTo(equal);
        check(difference);
        Difference remembered = SKETCHES.explain(CLAIM, SKETCHES.sketch(CLAIM, before), now);
        assertThat(equal && !remembered.changes().isEmpty()).isFalse();
        check(remembered);
    }

    private static Object fingerprint(Json json) {
        return Fingerprints.of("acme").json("body", json).fingerprint();
    }

    private static void check(Difference difference) {
        assertThat(difference.changes())
                .hasSizeLessThanOrEqualTo(SketchLimits.DEFAULT.maxChanges())
                .extracting(Change::pointer)
                .allSatisfy(pointer -> assertThat(JsonPointer.of(pointer)).hasToString(pointer));
        assertThat(difference.headerValue()).matches("[!-~ ]{0,1024}");
    }
}
