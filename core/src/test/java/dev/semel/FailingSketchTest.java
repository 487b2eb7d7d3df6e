// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A sketch that cannot be made is left out. It fails no claim and blocks no key. */
class FailingSketchTest {
    private static final Fingerprint REQUEST = Fingerprint.of("10 EUR");

    @AutoClose
    private final TestEngine engine = new TestEngine(builder -> builder.maxClaims(1));

    static List<Supplier<byte[]>> failing() {
        return List.of(
                () -> {
                    throw new IllegalStateException("no sketch");
                },
                () -> {
                    throw new StackOverflowError();
                },
                () -> new byte[Fingerprint.MAX_SKETCH + 1]);
    }

    @ParameterizedTest
    @MethodSource("failing")
    void theWorkRunsAndLaterCallersAreAnswered(Supplier<byte[]> sketch) {
        Fingerprint fingerprint = REQUEST.withSketch(sketch);

        assertThat(engine.semel.execute(CHARGE, KEY, fingerprint, run -> "ran"))
                .isEqualTo(new Outcome.Succeeded<>("ran", false));
        assertThat(engine.semel.execute(CHARGE, KEY, REQUEST, run -> "again"))
                .isEqualTo(new Outcome.Succeeded<>("ran", true));
        assertThat(fingerprint.sketch()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("failing")
    void claimsWithAliasesAreGranted(Supplier<byte[]> sketch) throws Exception {
        assertThat(claimAll(KEY, REQUEST.withSketch(sketch))).hasOnlyElementsOfType(ClaimOutcome.Granted.class);
        // The place of the first claim is free a moment after its answer.
        await().until(() -> claimAll(CHARGE.key("acme", "other"), REQUEST).get(0) instanceof ClaimOutcome.Granted);
    }

    private List<ClaimOutcome> claimAll(ClaimKey key, Fingerprint fingerprint) throws Exception {
        return engine.semel
                .claimAll(List.of(
                        new ClaimRequest(key.alsoKnownAs("alias of " + key.key()), fingerprint, CHARGE.terms())))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }
}
