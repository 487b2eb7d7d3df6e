// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A sweep deletes expired claims and releases abandoned ones. It may also sweep claims of other tenants, so the tests
 * require reports of at least this tenant's claims.
 */
abstract class SweepingContract extends ContractGroup {
    SweepingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void settledClaimsAreDeletedOnceTheyExpired() {
        List<Snapshot> expired = List.of(expired(Status.SUCCEEDED), expired(Status.FAILED), expired(Status.RETRYABLE));

        SweepReport report = sweepAll();

        assertThat(report.deleted()).isGreaterThanOrEqualTo(3);
        assertThat(report.more()).isFalse();
        assertThat(expired).allMatch(claim -> isAbsent(claim.ref()));
    }

    @Test
    void allOtherClaimsStayUnchanged() {
        List<Snapshot> kept = new ArrayList<>(List.of(
                running(),
                lapsed(Terms.DEFAULT),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE)),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.PARK)),
                settled(Status.SUCCEEDED),
                settled(Status.FAILED),
                settled(Status.RETRYABLE),
                settled(Status.UNKNOWN)));
        Snapshot unknown = settled(Status.UNKNOWN);
        Snapshot forEver = applied(settle(running(Terms.DEFAULT.withoutExpiry()), Status.SUCCEEDED));
        Snapshot lapsedForEver = running(Terms.DEFAULT.withoutExpiry());
        for (Snapshot ancient : List.of(unknown, forEver, lapsedForEver)) {
            age(ancient.ref(), Duration.ofDays(3_650));
            kept.add(read(ancient.ref()));
        }

        sweepAll();

        assertThat(kept)
                .allSatisfy(claim -> assertThat(timeless(read(claim.ref()))).isEqualTo(timeless(claim)));
    }

    /** The lease decides and not the age: a long run is not deleted while its owner works. */
    @Test
    void aRenewedClaimIsNeverSwept() {
        Terms terms = Terms.DEFAULT.withMaxRun(Duration.ofDays(300));
        Snapshot owned = running(terms);
        age(owned.ref(), Duration.ofDays(100));
        Snapshot renewed = applied(renew(owned, terms.lease()));

        sweepAll();

        assertThat(timeless(read(owned.ref()))).isEqualTo(timeless(renewed));
        applied(settle(owned, Status.SUCCEEDED));
    }

    /** Earlier sweeps of the running, parked or retried claim do not change when it expires. */
    @Test
    void anEarlySweepDoesNotDelayTheNextOne() {
        Terms longRun = Terms.DEFAULT.withMaxRun(Duration.ofDays(300));
        Snapshot ran = running(longRun);
        Snapshot unknown = settled(Status.UNKNOWN);
        Snapshot reconciled = running(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));
        List<Snapshot> all = List.of(ran, unknown, reconciled);
        all.forEach(claim -> age(claim.ref(), Duration.ofDays(100)));
        applied(renew(ran, longRun.lease()));
        sweepAll();
        all.forEach(claim -> applied(settle(claim, Status.SUCCEEDED)));

        all.forEach(claim -> age(claim.ref(), Duration.ofHours(23)));
        sweepAll();
        assertThat(all).noneMatch(claim -> isAbsent(claim.ref()));

        all.forEach(claim -> age(claim.ref(), Duration.ofHours(2)));
        sweepAll();
        assertThat(all).allMatch(claim -> isAbsent(claim.ref()));
    }

    /** Expired and other claims are mixed. A sweep that reports no more must have reached the end. */
    @Test
    void aSweepInSmallStepsEndsWhenNothingIsLeft() {
        Terms longRun = Terms.DEFAULT.withMaxRun(Duration.ofDays(300));
        List<Snapshot> expired = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Snapshot running = running(longRun);
            age(running.ref(), PAST_TTL);
            applied(renew(running, longRun.lease()));
            expired.add(expired(Status.SUCCEEDED));
        }

        int steps = 1;
        while (store().sweep(10).more()) {
            steps++;
        }

        assertThat(steps).isGreaterThan(1);
        assertThat(expired).allMatch(claim -> isAbsent(claim.ref()));
    }

    @Test
    void aClaimAbandonedForATtlIsReleased() {
        Snapshot abandoned = running(Terms.DEFAULT.withOnStale(StalePolicy.RERUN));
        age(abandoned.ref(), PAST_ALL);

        SweepReport report = sweepAll();

        assertThat(report.released()).isPositive();
        abandonedAs(Status.RETRYABLE, abandoned);
        assertThat(applied(takeOver(read(abandoned.ref()))).attempt()).isEqualTo(2);
    }

    /** If it were released, the next caller would run it again without asking the probe. */
    @Test
    void anAbandonedClaimUnderReconcileStaysUnchanged() {
        Snapshot abandoned = running(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));
        age(abandoned.ref(), PAST_ALL);
        Snapshot before = read(abandoned.ref());

        sweepAll();

        assertThat(read(abandoned.ref())).isEqualTo(before);
    }

    @Test
    void anAbandonedClaimUnderParkBecomesUnknown() {
        Snapshot abandoned = running(Terms.DEFAULT.withOnStale(StalePolicy.PARK));
        age(abandoned.ref(), PAST_ALL);

        SweepReport report = sweepAll();

        assertThat(report.parked()).isPositive();
        abandonedAs(Status.UNKNOWN, abandoned);
        refusedWithoutTrace(takeOver(read(abandoned.ref())));
        applied(settle(abandoned, Status.SUCCEEDED, "a person found out"));
    }

    private void abandonedAs(Status status, Snapshot before) {
        Snapshot after = read(before.ref());
        assertThat(after.status()).isEqualTo(status);
        assertThat(after.reason()).isEqualTo(SweepReport.ABANDONED);
        assertThat(after.result()).isNull();
        assertThat(after.expired()).as("its TTL starts now").isFalse();
        assertThat(after.token()).as("a sweep does not become the owner").isEqualTo(before.token());
        assertThat(after.record()).isEqualTo(before.record());
        assertThat(after.attempt()).isEqualTo(before.attempt());
        assertThat(after.fence()).isEqualTo(before.fence());
    }

    @Test
    void aReleasedClaimIsDeletedATtlLater() {
        Snapshot abandoned = running();
        age(abandoned.ref(), PAST_ALL);
        sweepAll();
        age(abandoned.ref(), PAST_TTL);

        sweepAll();

        assertThat(isAbsent(abandoned.ref())).isTrue();
    }

    @Test
    void noMoreThanTheLimitIsDeletedAtOnce() {
        List<ClaimRef> expired = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            expired.add(expired(Status.SUCCEEDED).ref());
        }

        SweepReport report = store().sweep(2);

        assertThat(report.deleted()).isEqualTo(2);
        assertThat(report.more()).isTrue();
        int left = store().read(expired).size();
        assertThat(left).isGreaterThanOrEqualTo(3);
        assertThat(sweepAll().deleted()).isGreaterThanOrEqualTo(left);
        assertThat(store().read(expired)).isEmpty();
    }

    @Test
    void noMoreThanTheLimitIsReleasedAtOnce() {
        List<ClaimRef> abandoned = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            StalePolicy policy = i % 2 == 0 ? StalePolicy.RERUN : StalePolicy.PARK;
            abandoned.add(running(Terms.DEFAULT.withOnStale(policy)).ref());
            age(abandoned.get(i), PAST_ALL);
        }

        SweepReport report = store().sweep(2);

        assertThat(report.released() + report.parked()).isEqualTo(2);
        assertThat(report.more()).isTrue();
        assertThat(stillInProgress(abandoned)).isGreaterThanOrEqualTo(4);
        sweepAll();
        assertThat(stillInProgress(abandoned)).isZero();
    }

    private long stillInProgress(List<ClaimRef> refs) {
        return store().read(refs).values().stream()
                .filter(claim -> claim.status() == Status.IN_PROGRESS)
                .count();
    }

    @Test
    void aSweepWithoutWorkReportsNothing() {
        expired(Status.SUCCEEDED);

        await().until(() -> store().sweep(100).equals(SweepReport.NOTHING));
    }
}
