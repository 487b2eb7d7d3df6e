// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperationTest {
    private static final Codec<String> TEXT = Codec.text();
    private static final Probe<String> PROBE = context -> ProbeAnswer.notDone();
    private static final Operation<String> PLAIN = Operation.of("card.charge", TEXT);
    private static final DetailsCodec DETAILS = new DetailsCodec() {
        @Override
        public StoredResult encode(Object details) {
            return STORED;
        }

        @Override
        public <D> D decode(StoredResult stored, Class<D> type) {
            throw new IllegalStateException("not used");
        }
    };
    private static final StoredResult STORED = new StoredResult("a/b", new byte[0]);

    /** Every setting differs from its default. */
    private static final Operation<String> FULL = PLAIN.withLease(Duration.ofSeconds(10))
            .withTtl(Duration.ofDays(7))
            .reconcileWhenStale(PROBE)
            .classifyingFailures(failure -> FailureClass.FINAL)
            .storingFailures(failure -> STORED)
            .withAttemptCap(3)
            .waitingUpTo(Duration.ofSeconds(2))
            .withDetails(DETAILS)
            .outsideTransaction()
            .inShadow();

    @Test
    void hasDefaults() throws Exception {
        assertThat(PLAIN.scope()).isEqualTo("card.charge");
        assertThat(PLAIN.encode("receipt")).isEqualTo(TEXT.encode("receipt"));
        assertThat(PLAIN.details()).isSameAs(DetailsCodec.text());
        assertThat(PLAIN.inTransaction()).isEqualTo(Operation.InTransaction.REFUSE);
        assertThat(PLAIN.terms()).isEqualTo(Terms.DEFAULT);
        assertThat(PLAIN.probe()).isNull();
        assertThat(PLAIN.classify(new IOException())).isEqualTo(FailureClass.RETRYABLE);
        assertThat(PLAIN.encodeFailure(new IOException("declined")))
                .isEqualTo(new StoredResult(
                        Operation.FAILURE_TYPE, "java.io.IOException".getBytes(StandardCharsets.UTF_8)));
        assertThat(PLAIN.attemptCap()).isEmpty();
        assertThat(PLAIN.maxWait()).isZero();
        assertThat(PLAIN.shadow()).isFalse();
    }

    @Test
    void keepsEverythingThatWasSet() {
        assertFull(FULL);
        assertThat(FULL.terms())
                .isEqualTo(Terms.DEFAULT
                        .withLease(Duration.ofSeconds(10))
                        .withTtl(Duration.ofDays(7))
                        .withOnStale(StalePolicy.RECONCILE));
    }

    @Test
    void keepsEverythingElseWhenOneThingIsSetAgain() {
        assertFull(FULL.withLease(Duration.ofSeconds(20)));
        assertFull(FULL.withMaxRun(Duration.ofSeconds(20)));
        assertFull(FULL.withTtl(Duration.ofDays(8)));
        assertFull(FULL.withoutExpiry());
        assertFull(FULL.reconcileWhenStale(PROBE));
        assertFull(FULL.classifyingFailures(failure -> FailureClass.FINAL));
        assertFull(FULL.storingFailures(failure -> STORED));
        assertFull(FULL.withAttemptCap(3));
        assertFull(FULL.waitingUpTo(Duration.ofSeconds(2)));
        assertFull(FULL.inShadow());
    }

    @Test
    void setsItsTerms() {
        assertThat(PLAIN.withLease(Duration.ofSeconds(10)).terms())
                .isEqualTo(Terms.DEFAULT.withLease(Duration.ofSeconds(10)));
        assertThat(PLAIN.withMaxRun(Duration.ofHours(2)).terms())
                .isEqualTo(Terms.DEFAULT.withMaxRun(Duration.ofHours(2)));
        assertThat(PLAIN.withTtl(Duration.ofDays(7)).terms()).isEqualTo(Terms.DEFAULT.withTtl(Duration.ofDays(7)));
        assertThat(PLAIN.withoutExpiry().terms()).isEqualTo(Terms.DEFAULT.withoutExpiry());
    }

    @Test
    void hasAProbeOnlyWhereItReconciles() {
        assertThat(FULL.parkWhenStale().terms().onStale()).isEqualTo(StalePolicy.PARK);
        assertThat(FULL.parkWhenStale().probe()).isNull();
        assertThat(FULL.rerunWhenStale().terms().onStale()).isEqualTo(StalePolicy.RERUN);
        assertThat(FULL.rerunWhenStale().probe()).isNull();
    }

    @Test
    void doesNotChangeItself() {
        assertThat(PLAIN.inShadow()).isNotSameAs(PLAIN);
        assertThat(PLAIN.shadow()).isFalse();
    }

    @Test
    void makesKeysOfItsScope() {
        assertThat(PLAIN.key("acme", "order-17")).isEqualTo(new ClaimKey("acme", "card.charge", "order-17"));
    }

    @Test
    void refusesABadScopeAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.of("", TEXT))
                .withMessage("A scope must have 1 to 1024 characters, but has 0");
        assertThatNullPointerException()
                .isThrownBy(() -> Operation.of(Missing.value(), TEXT))
                .withMessage("A scope must not be null");
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThat(PLAIN.withAttemptCap(1).attemptCap()).hasValue(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PLAIN.withAttemptCap(0))
                .withMessage("An attempt cap must be at least 1, but is 0");
        assertThat(PLAIN.waitingUpTo(Duration.ZERO).maxWait()).isZero();
        assertThat(PLAIN.waitingUpTo(Duration.ofDays(1)).maxWait()).isEqualTo(Duration.ofDays(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PLAIN.waitingUpTo(Duration.ofDays(1).plusNanos(1)))
                .withMessage("A wait must be between 0 and 24 hours, but is PT24H0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PLAIN.waitingUpTo(Duration.ofNanos(-1)))
                .withMessage("A wait must be between 0 and 24 hours, but is PT-0.000000001S");
    }

    @Test
    void refusesNulls() {
        assertThatNullPointerException()
                .isThrownBy(() -> Operation.of("scope", Missing.<Codec<String>>value()))
                .withMessage("A codec must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> PLAIN.reconcileWhenStale(Missing.value()))
                .withMessage("A probe must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> PLAIN.classifyingFailures(Missing.value()))
                .withMessage("A failure classifier must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> PLAIN.storingFailures(Missing.value()))
                .withMessage("A failure encoder must not be null");
    }

    private static void assertFull(Operation<String> operation) {
        assertThat(operation.scope()).isEqualTo("card.charge");
        assertThat(operation.details()).isSameAs(DETAILS);
        assertThat(operation.inTransaction()).isEqualTo(Operation.InTransaction.STAY_OUTSIDE);
        assertThat(operation.terms().onStale()).isEqualTo(StalePolicy.RECONCILE);
        assertThat(operation.probe()).isSameAs(PROBE);
        assertThat(operation.classify(new IOException())).isEqualTo(FailureClass.FINAL);
        assertThat(operation.encodeFailure(new IOException())).isSameAs(STORED);
        assertThat(operation.attemptCap()).hasValue(3);
        assertThat(operation.maxWait()).isEqualTo(Duration.ofSeconds(2));
        assertThat(operation.shadow()).isTrue();
    }
}
