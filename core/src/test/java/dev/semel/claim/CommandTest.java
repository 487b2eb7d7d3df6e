// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.spi.Alias;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommandTest {
    private static final ClaimRef REF = ASnapshot.REF;
    private static final OwnerToken MINE = OwnerToken.random();
    private static final OwnerToken OTHER = OwnerToken.random();
    private static final StoredResult RESULT = new StoredResult("a/b", new byte[] {1});

    @ParameterizedTest
    @EnumSource(Status.class)
    void anInsertHoldsWhereItsTokenIsInProgress(Status status) {
        Command insert = insert("card.charge", "0123456789abcdef");

        assertThat(insert.holdsIn(owned(MINE, status))).isEqualTo(status == Status.IN_PROGRESS);
        assertThat(insert.holdsIn(owned(OTHER, status))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void aTakeOverHoldsWhereItsNewTokenIsInProgress(Status status) {
        Command takeOver = takeOver(OTHER, MINE);

        assertThat(takeOver.holdsIn(owned(MINE, status))).isEqualTo(status == Status.IN_PROGRESS);
        assertThat(takeOver.holdsIn(owned(OTHER, status))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void aRenewalHoldsWhereItsTokenIsInProgress(Status status) {
        Command renew = new Command.Renew(REF, MINE, Duration.ofMinutes(1));

        assertThat(renew.holdsIn(owned(MINE, status))).isEqualTo(status == Status.IN_PROGRESS);
        assertThat(renew.holdsIn(owned(OTHER, status))).isFalse();
    }

    @Test
    void aSettlementHoldsWhereEverythingIsAsItLeftIt() {
        Command settle = new Command.Settle(REF, MINE, Status.FAILED, RESULT, "why");

        assertThat(settle.holdsIn(settled(MINE, Status.FAILED, RESULT, "why"))).isTrue();
        assertThat(settle.holdsIn(settled(OTHER, Status.FAILED, RESULT, "why"))).isFalse();
        assertThat(settle.holdsIn(settled(MINE, Status.SUCCEEDED, RESULT, "why")))
                .isFalse();
        assertThat(settle.holdsIn(settled(MINE, Status.FAILED, null, "why"))).isFalse();
        assertThat(settle.holdsIn(settled(MINE, Status.FAILED, RESULT, null))).isFalse();
        assertThat(settle.holdsIn(settled(MINE, Status.FAILED, RESULT, "because")))
                .isFalse();
    }

    @Test
    void aSettlementWithoutResultAndReasonHoldsWhereThereAreNone() {
        Command settle = new Command.Settle(REF, MINE, Status.RETRYABLE, null, null);

        assertThat(settle.holdsIn(settled(MINE, Status.RETRYABLE, null, null))).isTrue();
        assertThat(settle.holdsIn(settled(MINE, Status.RETRYABLE, RESULT, null)))
                .isFalse();
    }

    @Test
    void anInsertBoundsScopeAndSecretId() {
        assertThat(insert("s".repeat(1_024), "i".repeat(32)).ref()).isEqualTo(REF);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> insert("s".repeat(1_025), "id"))
                .withMessage("A scope must have 1 to 1024 characters, but has 1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> insert("s", "i".repeat(33)))
                .withMessage("A secret's id must have 1 to 32 characters, but has 33");
    }

    @Test
    void aTakeOverRequiresAFreshToken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> takeOver(MINE, new OwnerToken(MINE.bytes())))
                .withMessage("A take-over requires a fresh token");
    }

    @Test
    void aRenewalIsBoundedOrZero() {
        assertThat(new Command.Renew(REF, MINE, Duration.ZERO).lease()).isZero();
        assertThat(new Command.Renew(REF, MINE, Duration.ofMillis(1)).lease()).isEqualTo(Duration.ofMillis(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Renew(REF, MINE, Duration.ofNanos(1)))
                .withMessageStartingWith("A lease must be between 1 ms and 100 years");
        assertThatIllegalArgumentException().isThrownBy(() -> new Command.Renew(REF, MINE, Duration.ofSeconds(-1)));
    }

    @Test
    void aSettlementEndsTheClaim() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Settle(REF, MINE, Status.IN_PROGRESS, null, null))
                .withMessage("A claim cannot be settled as IN_PROGRESS");
    }

    @Test
    void aSettlementBoundsItsReason() {
        assertThat(new Command.Settle(REF, MINE, Status.FAILED, null, "r".repeat(255)).reason())
                .hasSize(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Settle(REF, MINE, Status.FAILED, null, "r".repeat(256)))
                .withMessage("A reason must have 1 to 255 characters, but has 256");
    }

    @Test
    void anInsertsAliasesAreItsTenantsAndAllDifferent() {
        ClaimRef other = new ClaimRef(REF.tenant(), new Digest(new byte[32]));

        assertThat(aliased(other).refs()).containsExactly(other, REF).isSorted();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> aliased(REF))
                .withMessage("An alias must differ from its claim and from other aliases");
        assertThatIllegalArgumentException().isThrownBy(() -> aliased(other, other));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> aliased(new ClaimRef("globex", other.digest())))
                .withMessage("An alias must be of the same tenant as its claim");
    }

    private static Command.Insert aliased(ClaimRef... refs) {
        return new Command.Insert(
                REF,
                "scope",
                "secret",
                MINE,
                RecordId.random(),
                Fingerprint.NONE,
                Terms.DEFAULT,
                Arrays.stream(refs)
                        .map(ref -> new Alias(ref, "secret", OwnerToken.random()))
                        .toList());
    }

    @Test
    void anOmittedResultDecidesNothing() {
        Command.Settle settle = new Command.Settle(REF, MINE, Status.SUCCEEDED, RESULT, "why");
        StoredResult omitted = StoredResult.omitted(RESULT.size());

        assertThat(settle.isUndecidedBy(settled(MINE, Status.SUCCEEDED, omitted, "why")))
                .isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> settle.holdsIn(settled(MINE, Status.SUCCEEDED, omitted, "why")));
        for (Snapshot other : List.of(
                settled(OTHER, Status.SUCCEEDED, omitted, "why"),
                settled(MINE, Status.FAILED, omitted, "why"),
                settled(MINE, Status.SUCCEEDED, omitted, null),
                settled(MINE, Status.SUCCEEDED, StoredResult.omitted(2), "why"))) {
            assertThat(settle.isUndecidedBy(other)).isFalse();
            assertThat(settle.holdsIn(other)).isFalse();
        }
        assertThat(settle.isUndecidedBy(settled(MINE, Status.SUCCEEDED, RESULT, "why")))
                .isFalse();
        assertThat(insert("scope", "secret").isUndecidedBy(settled(MINE, Status.SUCCEEDED, omitted, null)))
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Settle(REF, MINE, Status.SUCCEEDED, omitted, null));
    }

    @Test
    void noCommandShowsATokenOrARecord() {
        RecordId record = RecordId.random();
        Command takeOver = new Command.TakeOver(REF, OTHER, MINE, record, Fingerprint.NONE, Terms.DEFAULT);

        assertThat(takeOver.toString()).contains("hidden").doesNotContain(OTHER.hex(), MINE.hex(), record.hex());
    }

    private static Command insert(String scope, String secretId) {
        return new Command.Insert(REF, scope, secretId, MINE, RecordId.random(), Fingerprint.NONE, Terms.DEFAULT);
    }

    private static Command takeOver(OwnerToken expected, OwnerToken token) {
        return new Command.TakeOver(REF, expected, token, RecordId.random(), Fingerprint.NONE, Terms.DEFAULT);
    }

    private static Snapshot owned(OwnerToken token, Status status) {
        return ASnapshot.that(status).ownedBy(token).build();
    }

    private static Snapshot settled(
            OwnerToken token, Status status, @Nullable StoredResult result, @Nullable String reason) {
        return ASnapshot.that(status).ownedBy(token).with(result, reason).build();
    }
}
