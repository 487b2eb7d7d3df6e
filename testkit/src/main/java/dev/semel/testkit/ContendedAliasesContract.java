// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many concurrent callers use different digests of one claim. */
abstract class ContendedAliasesContract extends ContractGroup {
    private final ClaimRef a = newRef();
    private final ClaimRef b = newRef();

    ContendedAliasesContract(ClaimStoreContract contract) {
        super(contract);
    }

    /** Three pairs of keys form a ring. One caller wins, all others find its claim, and none waits without limit. */
    @Test
    void overlappingKeysHaveOneOwnerAtATimeInAnyOrder() {
        int rings = 30;
        List<List<ClaimRef>> all = new ArrayList<>();
        for (int i = 0; i < rings; i++) {
            all.add(newRefs(3));
        }
        Map<ClaimRef, AtomicInteger> owners = new ConcurrentHashMap<>();
        Map<Integer, AtomicInteger> effects = new ConcurrentHashMap<>();

        ConcurrentThreads.run(12, thread -> () -> {
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

    /** Plain claims and claims with aliases collide on the same expired rows. */
    @Test
    void expiredKeysAreClaimedByOneOfManyWithAndWithoutAliases() {
        for (int life = 0; life < 10; life++) {
            Snapshot old = life % 2 == 0 ? claimed(a, b) : claimed(b, a);
            applied(settle(old, Status.SUCCEEDED));
            age(a, PAST_TTL);
            age(b, PAST_TTL);

            List<Verdict> verdicts = ConcurrentThreads.run(6, thread -> () -> {
                ClaimStore mine = thread % 2 == 0 ? store() : secondStore();
                ClaimRef first = thread % 3 == 0 ? a : b;
                ClaimRef second = thread % 3 == 0 ? b : a;
                if (thread < 4) {
                    return persistently(mine, insert(first, List.of(second)));
                }
                // Always the same caller without aliases, like a process that knows only one secret.
                Snapshot seen = read(mine, a);
                return seen.absent() ? verdict(mine, takeOver(seen)) : new Verdict.Refused(seen);
            });

            assertThat(verdicts.stream().filter(Verdict.Applied.class::isInstance))
                    .as("owners in life %d", life)
                    .hasSize(1);
            assertThat(read(a).ref()).isEqualTo(read(b).ref());
        }
    }

    /** Claims with both keys, and takes over the expired claim. */
    private Snapshot claimed(ClaimRef first, ClaimRef second) {
        Verdict verdict = verdict(store(), insert(first, List.of(second)));
        return verdict instanceof Verdict.Applied ? appliedOf(store(), verdict) : refusedOf(verdict);
    }

    /** Sends a command again while the store is busy, as the engine does. */
    private static Verdict persistently(ClaimStore store, Command command) {
        Verdict verdict = verdict(store, command);
        for (int i = 0; i < 20 && verdict instanceof Verdict.Errored; i++) {
            verdict = verdict(store, command);
        }
        return verdict;
    }
}
