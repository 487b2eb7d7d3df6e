// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What the groups of the contract share: a tenant for each test, so that tests need not clean up, and short methods for
 * commands to the store.
 */
abstract class ContractGroup {
    static final Secret SECRET = Secret.of("the contract's secret, for tests only");

    /** Longer than the default lease, far shorter than the default TTL. */
    static final Duration PAST_LEASE = Terms.DEFAULT.lease().plusMinutes(10);

    /** Longer than the default TTL. */
    static final Duration PAST_TTL = Terms.DEFAULT.ttl().orElseThrow().plusHours(1);

    /** Longer than the default lease and the default TTL together. */
    static final Duration PAST_ALL = PAST_LEASE.plus(PAST_TTL);

    private static final KeyDigests DIGESTS = new KeyDigests(SECRET);
    private static final int MAX_SWEEPS = 10_000;

    /** JUnit makes an instance for every test, so every test has a tenant of its own. */
    final String tenant = "tenant-" + UUID.randomUUID();

    private final ClaimStoreContract contract;

    ContractGroup(ClaimStoreContract contract) {
        this.contract = contract;
    }

    final ClaimStore store() {
        return contract.store();
    }

    final ClaimStore secondStore() {
        return contract.secondStore();
    }

    final void age(ClaimRef ref, Duration by) {
        contract.age(ref, by);
    }

    /** How exactly the store knows the time. */
    final Duration clockMargin() {
        return contract.clockMargin();
    }

    /** A reference without a claim. */
    final ClaimRef newRef() {
        return refOf(tenant, Commands.SCOPE, UUID.randomUUID().toString());
    }

    final List<ClaimRef> newRefs(int count) {
        return Stream.generate(this::newRef).limit(count).toList();
    }

    static ClaimRef refOf(String tenant, String scope, String key) {
        return DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey(tenant, scope, key));
    }

    final Snapshot applied(Command command) {
        return applied(store(), command);
    }

    final Snapshot applied(ClaimStore store, Command command) {
        return appliedOf(store, verdict(store, command));
    }

    /** The claim as it is read after the command was applied. It must agree with the verdict. */
    final Snapshot appliedOf(ClaimStore store, Verdict verdict) {
        Verdict.Applied applied = assertInstanceOf(Verdict.Applied.class, verdict);
        Snapshot claim = read(store, applied.ref());
        assertThat(applied.scope()).isEqualTo(claim.scope());
        assertThat(applied.record()).isEqualTo(claim.record());
        assertThat(applied.attempt()).isEqualTo(claim.attempt());
        assertThat(applied.fence()).isEqualTo(claim.fence());
        assertThat(applied.leaseLeft()).isGreaterThanOrEqualTo(claim.leaseLeft().minus(clockMargin()));
        return claim;
    }

    /** The claim that caused the refusal. */
    final Snapshot refused(Command command) {
        return refused(store(), command);
    }

    static Snapshot refused(ClaimStore store, Command command) {
        return refusedOf(verdict(store, command));
    }

    static Snapshot refusedOf(Verdict verdict) {
        Snapshot claim = assertInstanceOf(Verdict.Refused.class, verdict).claim();
        return Objects.requireNonNull(claim, "The refusal shows no claim, but a claim exists");
    }

    final void refusedAsAbsent(Command command) {
        assertThat(verdict(store(), command)).isEqualTo(new Verdict.Refused(null));
    }

    static Verdict verdict(ClaimStore store, Command command) {
        List<Verdict> verdicts = store.apply(List.of(command));
        assertThat(verdicts).hasSize(1);
        return verdicts.get(0);
    }

    final Snapshot read(ClaimRef ref) {
        return read(store(), ref);
    }

    static Snapshot read(ClaimStore store, ClaimRef ref) {
        Snapshot claim = store.read(List.of(ref)).get(ref);
        return Objects.requireNonNull(claim, "The claim does not exist");
    }

    final boolean isAbsent(ClaimRef ref) {
        return store().read(List.of(ref)).isEmpty();
    }

    /** A new claim, on the default terms. */
    final Snapshot running() {
        return running(Terms.DEFAULT);
    }

    final Snapshot running(Terms terms) {
        return applied(Commands.insert(newRef(), terms));
    }

    /** A claim whose lease has ended. */
    final Snapshot lapsed(Terms terms) {
        Snapshot claim = running(terms);
        age(claim.ref(), PAST_LEASE);
        return read(claim.ref());
    }

    final Snapshot settled(Status status) {
        return applied(Commands.settle(running(), status));
    }

    /** A settled claim whose retention is over, so that it counts as absent. */
    final Snapshot expired(Status status) {
        Snapshot claim = applied(Commands.settle(running(), status, "old"));
        age(claim.ref(), PAST_TTL);
        return read(claim.ref());
    }

    /** Sweeps until nothing is left, for all tenants, and returns the sum of the reports. */
    final SweepReport sweepAll() {
        SweepReport sum = store().sweep(1_000);
        for (int i = 0; sum.more(); i++) {
            assertThat(i).as("sweeps that reported more to do").isLessThan(MAX_SWEEPS);
            sum = sum.plus(store().sweep(1_000));
        }
        return sum;
    }

    /** The snapshot without what changes over time: of a remaining time, only whether it is positive. */
    static Snapshot timeless(Snapshot claim) {
        return new Snapshot(
                claim.ref(),
                claim.scope(),
                claim.status(),
                claim.token(),
                claim.record(),
                claim.fingerprint(),
                claim.attempt(),
                claim.fence(),
                claim.onStale(),
                anyOf(claim.leaseLeft()),
                claim.ttlLeft() == null ? null : anyOf(claim.ttlLeft()),
                claim.result(),
                claim.reason(),
                claim.aliasOf());
    }

    private static Duration anyOf(Duration left) {
        return left.isZero() ? Duration.ZERO : Duration.ofSeconds(1);
    }

    /** Sends a command that must be refused and must not change the claim. Returns the claim. */
    final Snapshot refusedWithoutTrace(Command command) {
        Snapshot before = timeless(read(command.ref()));
        Snapshot shown = refused(command);
        assertThat(timeless(shown)).as("the claim that the refusal shows").isEqualTo(before);
        assertThat(timeless(read(command.ref())))
                .as("the claim after the refusal")
                .isEqualTo(before);
        return shown;
    }
}
