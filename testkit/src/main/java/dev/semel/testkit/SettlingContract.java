// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
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

    /** Of these, the second is nobody's, and the third was taken over. Sent again, each has the same verdict. */
    @Test
    void whatTheOwnerKnowsDecidesNothing() {
        Snapshot taken = lapsed(Terms.DEFAULT);
        Snapshot successor = applied(takeOver(taken));
        List<Snapshot> owned = List.of(running(), running(), taken, running(), running());
        List<Command> batch = List.of(
                knowing(owned.get(0), Status.SUCCEEDED, Commands.text("first"), null),
                new Command.Settle(
                        owned.get(1).ref(),
                        OwnerToken.random(),
                        Status.SUCCEEDED,
                        Commands.text("forged"),
                        null,
                        granted(owned.get(1))),
                knowing(taken, Status.SUCCEEDED, Commands.text("too late"), null),
                knowing(
                        owned.get(3),
                        Status.FAILED,
                        new StoredResult("application/octet-stream", new byte[70_000]),
                        "why"),
                knowing(owned.get(4), Status.RETRYABLE, null, "because"));

        for (ClaimStore sender : List.of(store(), secondStore(), store())) {
            List<Verdict> verdicts = sender.apply(batch);

            for (int i : List.of(0, 3, 4)) {
                Snapshot settled = appliedOf(store(), verdicts.get(i));
                Command.Settle settle = (Command.Settle) batch.get(i);
                assertThat(settled.status()).isEqualTo(settle.status());
                assertThat(settled.result()).isEqualTo(settle.result());
                assertThat(settled.reason()).isEqualTo(settle.reason());
            }
            assertThat(refusedOf(verdicts.get(1)).status()).isEqualTo(Status.IN_PROGRESS);
            assertThat(refusedOf(verdicts.get(2)).token()).isEqualTo(successor.token());
        }
    }

    /** However many there are, and whatever they have in common. */
    @Test
    void settlementsOfOneBatchKeepTheirOwnValues() {
        for (int size : List.of(1, 2, 3, 5, 16, 33)) {
            for (int kinds : List.of(1, 2, 7)) {
                List<Command> batch = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    Status status = i % kinds == 1 ? Status.FAILED : Status.SUCCEEDED;
                    String type = "text/" + i % kinds;
                    byte[] bytes = ("result " + i % kinds).getBytes(UTF_8);
                    String reason = i % kinds == 0 ? null : "reason " + i % kinds;
                    StoredResult result = i % kinds == 2 ? null : new StoredResult(type, bytes);
                    batch.add(knowing(running(), status, result, reason));
                }

                List<Verdict> verdicts = secondStore().apply(batch);

                for (int i = 0; i < size; i++) {
                    Snapshot settled = appliedOf(store(), verdicts.get(i));
                    assertThat(batch.get(i).holdsIn(settled))
                            .as("%d of %d", i, size)
                            .isTrue();
                }
            }
        }
    }

    private static Command.Settle knowing(
            Snapshot owned, Status status, @Nullable StoredResult result, @Nullable String reason) {
        return new Command.Settle(owned.ref(), owned.token(), status, result, reason, granted(owned));
    }

    private static Verdict.Applied granted(Snapshot owned) {
        return new Verdict.Applied(
                owned.ref(), owned.scope(), owned.record(), owned.attempt(), owned.fence(), Duration.ZERO);
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
