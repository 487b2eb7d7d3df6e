// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A read returns the claims that exist and omits the others, for any number of references. */
abstract class ReadingContract extends ContractGroup {
    ReadingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void anEmptyReadReturnsNothing() {
        assertThat(store().read(List.of())).isEmpty();
    }

    @Test
    void absentClaimsAreLeftOut() {
        assertThat(store().read(newRefs(3))).isEmpty();
    }

    @Test
    void manyAreFoundAtOnceAmongAbsentAndForeignOnes() {
        Map<ClaimRef, Snapshot> mine = new HashMap<>();
        List<ClaimRef> wanted = new ArrayList<>(newRefs(250));
        List<Verdict> granted =
                store().apply(newRefs(500).stream().map(Commands::insert).toList());
        for (Verdict verdict : granted) {
            Snapshot claim = timeless(appliedOf(store(), verdict));
            mine.put(claim.ref(), claim);
            wanted.add(claim.ref());
            wanted.add(new ClaimRef("stranger-" + tenant, claim.ref().digest()));
        }
        Collections.shuffle(wanted, new Random(500));

        Map<ClaimRef, Snapshot> found = new HashMap<>();
        store().read(wanted).forEach((ref, claim) -> found.put(ref, timeless(claim)));

        assertThat(found).isEqualTo(mine);
    }

    @Test
    void aReferenceThatIsGivenTwiceIsReturnedOnce() {
        Snapshot claim = running();

        assertThat(store().read(List.of(claim.ref(), claim.ref()))).containsOnlyKeys(claim.ref());
    }

    /** A store has no cache of claims: after the commit every instance sees the change. */
    @Test
    void oneInstanceReadsWhatTheOtherWrote() {
        for (int i = 0; i < 20; i++) {
            Snapshot claim = running();

            assertThat(secondStore().read(List.of(claim.ref()))).containsOnlyKeys(claim.ref());
        }
    }
}
