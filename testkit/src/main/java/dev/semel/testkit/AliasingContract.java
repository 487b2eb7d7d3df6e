// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.Alias;
import dev.semel.claim.ClaimBrowser.Query;
import dev.semel.claim.ClaimEntry;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.ClaimStore;
import dev.semel.claim.Command;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Snapshot;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.claim.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One claim under several digests: whoever comes by any of them meets the one record. */
abstract class AliasingContract extends ContractGroup {
    private final ClaimRef a = newRef();
    private final ClaimRef b = newRef();
    private final ClaimRef c = newRef();

    AliasingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void whatIsNewIsOneClaimUnderAllItsNames() {
        Snapshot record = applied(insert(a, List.of(b, c)));

        assertThat(record.ref()).isEqualTo(a);
        assertThat(record.status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(record.attempt()).isEqualTo(1);
        assertThat(record.aliasOf()).isNull();
        for (ClaimRef name : List.of(a, b, c)) {
            assertThat(timeless(read(name))).isEqualTo(timeless(record));
            assertThat(timeless(refused(insert(name)))).isEqualTo(timeless(record));
            assertThat(timeless(read(secondStore(), name))).isEqualTo(timeless(record));
        }
    }

    @Test
    void sentAgainItIsRecognised() {
        Command.Insert insert = insert(a, List.of(b));
        Snapshot first = applied(insert);

        assertThat(timeless(applied(secondStore(), insert))).isEqualTo(timeless(first));
        assertThat(first.attempt()).isEqualTo(1);
    }

    @Test
    void sentAgainAfterAllIsOverItIsShownWhatBecameOfIt() {
        Command.Insert insert = insert(a, List.of(b));
        applied(settle(applied(insert), Status.SUCCEEDED));
        age(a, PAST_TTL);

        Snapshot seen = refused(insert);

        assertThat(seen.ref()).isEqualTo(a);
        assertThat(seen.expired()).isTrue();
    }

    @Test
    void whatWasRefusedIsAppliedWhenItIsSentAgainAfterTheOtherIsOver() {
        Snapshot first = applied(insert(b));
        Command.Insert insert = insert(a, List.of(b));
        refused(insert);
        applied(settle(first, Status.SUCCEEDED));
        age(b, PAST_TTL);

        Snapshot record = applied(insert);

        assertThat(record.ref()).isEqualTo(a);
        assertThat(timeless(read(b))).isEqualTo(timeless(record));
    }

    @Test
    void newNamesOfAClaimThatIsThereLeadToIt() {
        Snapshot record = applied(insert(b));

        Snapshot shown = refused(insert(a, List.of(b, c)));

        assertThat(timeless(shown)).isEqualTo(timeless(record));
        assertThat(timeless(refused(insert(a)))).isEqualTo(timeless(record));
        assertThat(timeless(refused(insert(c)))).isEqualTo(timeless(record));
    }

    @Test
    void namesAreLinkedThroughOtherNames() {
        Snapshot record = applied(insert(a, List.of(b)));

        refused(insert(c, List.of(b)));

        assertThat(read(c).ref()).isEqualTo(record.ref());
        applied(settle(record, Status.SUCCEEDED, "the one"));
        assertThat(refused(insert(c)).result()).isEqualTo(Commands.text("the one"));
    }

    /** Or somebody who holds nothing would be told that its lease goes on. */
    @Test
    void onlyTheRecordsOwnReferenceOwnsIt() {
        Snapshot record = applied(insert(a, List.of(b)));

        Command.Renew byAlias = new Command.Renew(b, record.token(), Terms.DEFAULT.lease());
        assertThat(verdict(store(), byAlias)).isInstanceOf(Verdict.Refused.class);
        Command.Settle settleByAlias = new Command.Settle(b, record.token(), Status.SUCCEEDED, null, null);
        assertThat(verdict(store(), settleByAlias)).isInstanceOf(Verdict.Refused.class);
        assertThat(read(a).status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void aRetryableClaimIsTakenOverWhereItIs() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.RETRYABLE));

        Snapshot seen = refused(insert(b));
        Snapshot owned = applied(takeOver(seen));

        assertThat(owned.ref()).isEqualTo(record.ref());
        assertThat(owned.attempt()).isEqualTo(2);
        assertThat(timeless(refused(insert(b)))).isEqualTo(timeless(owned));
    }

    @Test
    void aNameWhoseRecordExpiredCountsAsAbsent() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);

        Snapshot seen = refused(insert(b));
        assertThat(seen.ref()).isEqualTo(b);
        assertThat(seen.aliasOf()).isEqualTo(a);
        assertThat(seen.absent()).isTrue();
        Snapshot owned = applied(takeOver(seen));

        assertThat(owned.ref()).isEqualTo(b);
        assertThat(owned.attempt()).isEqualTo(1);
        assertThat(owned.aliasOf()).isNull();
        assertThat(owned.fence()).isGreaterThan(seen.fence());
        assertThat(read(a).expired()).as("its old record is as it was").isTrue();
    }

    @Test
    void aNameWhoseRecordWasTakenOverMeanwhileIsNotTaken() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);
        Snapshot seen = refused(insert(b));
        Snapshot revived = applied(takeOver(read(a)));

        assertThat(timeless(refused(takeOver(seen)))).isEqualTo(timeless(revived));
    }

    @Test
    void whatHasExpiredUnderAllNamesIsClaimedAnew() {
        Snapshot old = applied(settle(applied(insert(a, List.of(b))), Status.SUCCEEDED, "old"));
        age(old.ref(), PAST_TTL);

        Snapshot record = applied(insert(b, List.of(a)));

        assertThat(record.ref()).isEqualTo(b);
        assertThat(record.attempt()).isEqualTo(1);
        assertThat(record.record()).isNotEqualTo(old.record());
        assertThat(record.result()).isNull();
        assertThat(timeless(refused(insert(a)))).isEqualTo(timeless(record));
    }

    @Test
    void anExpiredClaimUnderAnotherNameLeadsToTheLivingOne() {
        Snapshot old = applied(settle(applied(insert(a)), Status.SUCCEEDED, "old"));
        age(old.ref(), PAST_TTL);
        Snapshot living = applied(insert(b));

        assertThat(timeless(refused(insert(a, List.of(b))))).isEqualTo(timeless(living));
        assertThat(timeless(refused(insert(a)))).isEqualTo(timeless(living));
    }

    @Test
    void namesGoWhenTheirRecordIsSwept() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b, c))), Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);

        sweepAll();

        assertThat(isAbsent(a)).isTrue();
        assertThat(isAbsent(b)).isTrue();
        assertThat(isAbsent(c)).isTrue();
        assertThat(applied(insert(b)).ref()).isEqualTo(b);
    }

    @Test
    void namesStayWhileTheirRecordDoes() {
        Snapshot record = applied(insert(a, List.of(b)));
        age(b, PAST_ALL.plus(PAST_ALL));

        sweepAll();

        assertThat(timeless(read(b))).isEqualTo(timeless(record));
    }

    /** Its target has become a name itself: nothing follows a chain, so it counts as absent, and is swept. */
    @Test
    void aNameThatLeadsToANameLeadsNowhere() {
        Snapshot old = applied(settle(applied(insert(a, List.of(c))), Status.SUCCEEDED));
        age(old.ref(), PAST_TTL);
        Snapshot record = applied(insert(b, List.of(a)));

        Snapshot seen = refused(insert(c));
        assertThat(seen.aliasOf()).isEqualTo(a);
        sweepAll();

        assertThat(isAbsent(c)).isTrue();
        assertThat(timeless(read(a))).isEqualTo(timeless(record));
    }

    @Test
    void ofTwoRecordsTheMoreDecisiveOneAnswersAndNothingIsLinked() {
        List<Snapshot> byDecisiveness = List.of(
                settled(Status.SUCCEEDED),
                settled(Status.FAILED),
                running(),
                settled(Status.UNKNOWN),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.PARK)),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE)),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.RERUN)),
                settled(Status.RETRYABLE));
        for (int i = 0; i < byDecisiveness.size() - 1; i++) {
            Snapshot first = byDecisiveness.get(i);
            for (Snapshot second : byDecisiveness.subList(i + 1, byDecisiveness.size())) {
                ClaimRef fresh = newRef();
                Verdict.Refused refused = assertInstanceOf(
                        Verdict.Refused.class, verdict(store(), insert(second.ref(), List.of(fresh, first.ref()))));

                assertThat(timeless(refusedOf(refused))).isEqualTo(timeless(first));
                assertThat(refused.conflict()).isEqualTo(second.ref());
                assertThat(isAbsent(fresh)).isTrue();
                assertThat(timeless(read(second.ref()))).isEqualTo(timeless(second));
            }
        }
    }

    @Test
    void aConflictIsRecordedWhereAPersonFindsItAndTheFirstOneStays() {
        applied(insert(a));
        applied(insert(b));
        applied(insert(c));
        assertThat(entry(a).conflictsWith()).isNull();

        verdict(store(), insert(a, List.of(b)));
        verdict(store(), insert(a, List.of(c)));

        assertThat(entry(a).conflictsWith()).isEqualTo(b);
        assertThat(entry(b).conflictsWith()).isEqualTo(a);
        assertThat(entry(c).conflictsWith()).isEqualTo(a);
    }

    @Test
    void namesAreNotCountedNorListedButTheirClaimIsFoundByThem() {
        Snapshot record = applied(insert(a, List.of(b, c)));

        assertThat(browser().counts(tenant)).isEqualTo(Map.of(Status.IN_PROGRESS, 1L));
        assertThat(browser().page(Query.of(tenant, 10)))
                .extracting(ClaimEntry::ref)
                .containsExactly(a);
        assertThat(entry(b)).isEqualTo(entry(record.ref()));
        assertThat(browser().find(new ClaimRef("stranger-" + tenant, b.digest())))
                .isEmpty();
    }

    @Test
    void aClaimIsOnlyFoundByASecretWhileItHasNoNameByAnother() {
        String old = "old-" + tenant.substring(tenant.length() - 8);
        String fresh = "new-" + tenant.substring(tenant.length() - 8);
        Snapshot byOld = applied(insertBy(old, a));
        assertThat(browser().onlyFoundBy(old)).isEqualTo(1);
        assertThat(browser().onlyFoundBy(fresh)).isZero();

        refused(insertBy(fresh, b, new Alias(a, old, OwnerToken.random())));
        assertThat(browser().onlyFoundBy(old)).isZero();

        refused(insertBy(old, c, new Alias(a, old, OwnerToken.random())));
        assertThat(browser().onlyFoundBy(old))
                .as("its other key is found by the old one only")
                .isEqualTo(1);

        applied(settle(byOld, Status.SUCCEEDED));
        age(a, PAST_TTL);
        assertThat(browser().onlyFoundBy(old)).as("once it expired").isZero();
    }

    private static Command.Insert insertBy(String secretId, ClaimRef ref, Alias... aliases) {
        Command.Insert plain = insert(ref);
        return new Command.Insert(
                ref,
                plain.scope(),
                secretId,
                plain.token(),
                plain.record(),
                plain.fingerprint(),
                plain.terms(),
                List.of(aliases));
    }

    @Test
    void anotherTenantsNameLeadsNobodyToAClaim() {
        applied(insert(a, List.of(b)));
        ClaimRef foreign = new ClaimRef("stranger-" + tenant, b.digest());

        assertThat(store().read(List.of(foreign))).isEmpty();
    }

    /** Three pairs of names that are one ring: whoever wins, everybody meets it, and nobody waits for ever. */
    @Test
    void overlappingNamesHaveOneOwnerAtATimeWhateverTheOrder() {
        int rings = 30;
        List<List<ClaimRef>> all = new ArrayList<>();
        for (int i = 0; i < rings; i++) {
            all.add(newRefs(3));
        }
        Map<ClaimRef, AtomicInteger> owners = new ConcurrentHashMap<>();
        Map<Integer, AtomicInteger> effects = new ConcurrentHashMap<>();

        Together.run(12, thread -> () -> {
            ClaimStore mine = thread % 2 == 0 ? store() : secondStore();
            Random random = new Random(thread);
            for (int ring = 0; ring < rings; ring++) {
                List<ClaimRef> names = all.get(ring);
                ClaimRef one = names.get(thread % 3);
                ClaimRef next = names.get((thread + 1) % 3);
                Command.Insert insert = random.nextBoolean() ? insert(one, List.of(next)) : insert(next, List.of(one));
                Verdict verdict = persistently(mine, insert);
                if (verdict instanceof Verdict.Applied applied) {
                    owners.computeIfAbsent(applied.ref(), any -> new AtomicInteger())
                            .incrementAndGet();
                    effects.computeIfAbsent(ring, any -> new AtomicInteger()).incrementAndGet();
                }
            }
            return thread;
        });

        assertThat(effects).hasSize(rings);
        assertThat(effects.values()).allSatisfy(count -> assertThat(count).hasValue(1));
        assertThat(owners.values()).allSatisfy(count -> assertThat(count).hasValue(1));
        for (List<ClaimRef> names : all) {
            List<ClaimRef> found =
                    names.stream().map(name -> read(name).ref()).distinct().toList();
            assertThat(found).hasSize(1);
        }
    }

    /** Plain claims and aliased ones meet on the same rows, in a state where all has expired. */
    @Test
    void expiredNamesAreClaimedByOneOfManyWhetherPlainOrAliased() {
        for (int life = 0; life < 10; life++) {
            Snapshot old = life % 2 == 0 ? claimed(a, b) : claimed(b, a);
            applied(settle(old, Status.SUCCEEDED));
            age(a, PAST_TTL);
            age(b, PAST_TTL);

            List<Verdict> verdicts = Together.run(6, thread -> () -> {
                ClaimStore mine = thread % 2 == 0 ? store() : secondStore();
                ClaimRef first = thread % 3 == 0 ? a : b;
                ClaimRef second = thread % 3 == 0 ? b : a;
                if (thread < 4) {
                    return persistently(mine, insert(first, List.of(second)));
                }
                // Always the same one plainly, as processes have it that know one secret only.
                Snapshot seen = read(mine, a);
                return seen.absent() ? verdict(mine, takeOver(seen)) : new Verdict.Refused(seen);
            });

            assertThat(verdicts.stream().filter(Verdict.Applied.class::isInstance))
                    .as("owners in life %d", life)
                    .hasSize(1);
            assertThat(read(a).ref()).isEqualTo(read(b).ref());
        }
    }

    /** Claims under both names, taking over what is left of the life before. */
    private Snapshot claimed(ClaimRef first, ClaimRef second) {
        Verdict verdict = verdict(store(), insert(first, List.of(second)));
        return verdict instanceof Verdict.Applied ? appliedOf(store(), verdict) : refusedOf(verdict);
    }

    /** As the engine does: what is busy is sent again. */
    private static Verdict persistently(ClaimStore store, Command command) {
        Verdict verdict = verdict(store, command);
        for (int i = 0; i < 20 && verdict instanceof Verdict.Errored; i++) {
            verdict = verdict(store, command);
        }
        return verdict;
    }

    private ClaimEntry entry(ClaimRef ref) {
        return browser().find(ref).orElseThrow();
    }
}
