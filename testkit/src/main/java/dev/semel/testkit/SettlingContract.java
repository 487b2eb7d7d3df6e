// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Only the owner can settle a claim, and the result is stored exactly. */
abstract class SettlingContract extends ContractGroup {
    private static final List<Status> SETTLED =
            List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE, Status.UNKNOWN);

    SettlingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @TestFactory
    List<DynamicTest> everyStatusKeepsItsResultAndReason() {
        List<@Nullable StoredResult> results = Arrays.asList(
                null,
                new StoredResult("semel/nothing", new byte[0]),
                new StoredResult("application/octet-stream", everyByte()),
                new StoredResult("x".repeat(StoredResult.MAX_TYPE), new byte[] {0}),
                StoredResult.tombstone("too large"));
        List<DynamicTest> tests = new ArrayList<>();
        for (Status status : SETTLED) {
            for (StoredResult result : results) {
                for (String reason : Arrays.<@Nullable String>asList(null, "because of \ud83d\ude00 'quotes' and \\")) {
                    tests.add(dynamicTest(
                            status + " with " + result + (reason == null ? "" : " and a reason"),
                            () -> settledAndReadBack(status, result, reason)));
                }
            }
        }
        return tests;
    }

    private void settledAndReadBack(Status status, @Nullable StoredResult result, @Nullable String reason) {
        Snapshot owned = running();

        Snapshot settled = applied(new Command.Settle(owned.ref(), owned.token(), status, result, reason));

        assertThat(settled.status()).isEqualTo(status);
        assertThat(settled.result()).isEqualTo(result);
        assertThat(settled.reason()).isEqualTo(reason);
        assertThat(settled.leaseLeft()).isZero();
        assertThat(settled.expired()).isFalse();
        assertThat(settled.token()).isEqualTo(owned.token());
        assertThat(settled.record()).isEqualTo(owned.record());
        assertThat(settled.fingerprint()).isEqualTo(owned.fingerprint());
        assertThat(settled.attempt()).isEqualTo(owned.attempt());
        assertThat(settled.fence()).isEqualTo(owned.fence());
        assertThat(timeless(read(owned.ref()))).isEqualTo(timeless(settled));
    }

    private static byte[] everyByte() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void aMegabyteIsKeptByteByByte() {
        byte[] bytes = new byte[1024 * 1024];
        new Random(1).nextBytes(bytes);
        Snapshot owned = running();

        applied(new Command.Settle(
                owned.ref(), owned.token(), Status.SUCCEEDED, new StoredResult("application/zip", bytes), null));

        StoredResult kept = read(owned.ref()).result();
        assertThat(kept).isEqualTo(new StoredResult("application/zip", bytes));
    }

    @Test
    void anotherTokenIsRefused() {
        Snapshot owned = running();
        for (Status status : SETTLED) {
            refusedWithoutTrace(
                    new Command.Settle(owned.ref(), OwnerToken.random(), status, Commands.text("forged"), "forged"));
        }
        applied(settle(owned, Status.SUCCEEDED, "genuine"));
    }

    @Test
    void aFormerOwnerIsRefusedAndItsSuccessorsResultStays() {
        Snapshot zombie = lapsed(Terms.DEFAULT);
        Snapshot successor = applied(takeOver(zombie));

        for (Status status : SETTLED) {
            refusedWithoutTrace(settle(zombie, status, "too late"));
        }
        applied(settle(successor, Status.SUCCEEDED, "the one answer"));
        for (Status status : SETTLED) {
            refusedWithoutTrace(settle(zombie, status, "too late"));
        }
        assertThat(read(zombie.ref()).result()).isEqualTo(Commands.text("the one answer"));
    }

    @Test
    void afterTheLeaseButBeforeATakeOverTheOwnerStillSettles() {
        for (StalePolicy policy : StalePolicy.values()) {
            Snapshot owned = lapsed(Terms.DEFAULT.withOnStale(policy));

            assertThat(applied(settle(owned, Status.SUCCEEDED, "late")).result())
                    .isEqualTo(Commands.text("late"));
        }
    }

    @Test
    void anAbsentClaimIsNotSettled() {
        Snapshot elsewhere = running();

        refusedAsAbsent(new Command.Settle(newRef(), elsewhere.token(), Status.SUCCEEDED, null, null));
    }

    /** The answer to the first one was lost. */
    @Test
    void theSameSettlementAgainIsApplied() {
        for (Status status : SETTLED) {
            Command.Settle settle = settle(running(), status, "once");
            Snapshot settled = applied(settle);

            assertThat(timeless(applied(settle))).isEqualTo(timeless(settled));
            assertThat(timeless(applied(secondStore(), settle))).isEqualTo(timeless(settled));
            assertThat(timeless(read(settle.ref()))).isEqualTo(timeless(settled));
        }
    }

    /** Only another attempt can change a settled claim, and it has another token. */
    @Test
    void anotherSettlementIsRefusedAndTheFirstStays() {
        for (Status first : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE)) {
            for (Status second : SETTLED) {
                Snapshot settled = applied(settle(running(), first, "first"));

                refusedWithoutTrace(settle(settled, second, "second"));
            }
            Snapshot settled = applied(settle(running(), first, "first"));
            refusedWithoutTrace(settle(settled, first));
            refusedWithoutTrace(
                    new Command.Settle(settled.ref(), settled.token(), first, settled.result(), "another reason"));
        }
    }

    @Test
    void anUnknownClaimIsSettledByItsTokenAndByNoOther() {
        for (Status later : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE)) {
            Snapshot parked = settled(Status.UNKNOWN);
            refusedWithoutTrace(new Command.Settle(parked.ref(), OwnerToken.random(), later, null, "forged"));

            Snapshot settled = applied(settle(parked, later, "found out"));

            assertThat(settled.status()).isEqualTo(later);
            assertThat(settled.result()).isEqualTo(Commands.text("found out"));
        }
    }
}
