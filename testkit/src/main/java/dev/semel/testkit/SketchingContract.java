// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.giveBack;
import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.sketched;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A claim stores the sketch of its request and returns it to every caller. */
abstract class SketchingContract extends ContractGroup {
    private static final byte[] NONE = {};

    private final Random random = new Random(4_096);

    SketchingContract(ClaimStoreContract contract) {
        super(contract);
    }

    private byte[] sketch(int size) {
        byte[] sketch = new byte[size];
        random.nextBytes(sketch);
        return sketch;
    }

    private static byte[] sketchOf(Snapshot claim) {
        return claim.fingerprint().sketch();
    }

    private Snapshot runningWith(byte[] sketch) {
        return applied(sketched(insert(newRef()), sketch));
    }

    @Test
    void aRefusedInsertAndAReadShowTheSketchOfTheFirst() {
        byte[] first = sketch(100);
        ClaimRef ref = runningWith(first).ref();

        assertThat(sketchOf(refused(sketched(insert(ref), sketch(50))))).isEqualTo(first);
        assertThat(sketchOf(refused(secondStore(), insert(ref)))).isEqualTo(first);
        assertThat(sketchOf(read(ref))).isEqualTo(first);
        assertThat(sketchOf(read(secondStore(), ref))).isEqualTo(first);
    }

    @Test
    void withoutASketchThereIsNone() {
        ClaimRef ref = runningWith(NONE).ref();

        assertThat(sketchOf(refused(sketched(insert(ref), sketch(50))))).isEmpty();
        assertThat(sketchOf(read(ref))).isEmpty();
    }

    @Test
    void aSketchOfAnySizeIsStoredBitByBit() {
        for (int size : new int[] {0, 1, 4_095, Fingerprint.MAX_SKETCH}) {
            byte[] inserted = sketch(size);
            ClaimRef ref = runningWith(inserted).ref();
            assertThat(sketchOf(read(ref))).isEqualTo(inserted);

            age(ref, PAST_LEASE);
            byte[] taken = sketch(size);
            assertThat(sketchOf(applied(sketched(takeOver(read(ref)), taken)))).isEqualTo(taken);
        }
    }

    @Test
    void anySingleByteIsASketch() {
        for (int value : new int[] {0, '\'', '\\', 0x7f, 0x80, 0xff}) {
            byte[] one = {(byte) value};

            assertThat(sketchOf(runningWith(one))).isEqualTo(one);
        }
    }

    @Test
    void aTakeOverReplacesTheSketchAlsoByNone() {
        Snapshot lapsed = runningWith(sketch(30));
        age(lapsed.ref(), PAST_LEASE);
        Snapshot retryable = applied(settle(runningWith(sketch(30)), Status.RETRYABLE));
        Snapshot expired = applied(settle(runningWith(sketch(30)), Status.SUCCEEDED));
        age(expired.ref(), PAST_TTL);
        for (Snapshot claim : List.of(lapsed, retryable, expired)) {
            byte[] next = sketch(60);

            Snapshot taken = applied(sketched(takeOver(read(claim.ref())), next));

            assertThat(sketchOf(taken)).isEqualTo(next);
            assertThat(sketchOf(refused(secondStore(), insert(claim.ref())))).isEqualTo(next);
            age(claim.ref(), PAST_LEASE);
            assertThat(sketchOf(applied(takeOver(read(claim.ref()))))).isEmpty();
        }
    }

    @Test
    void aTakeOverThatIsRefusedReplacesNothing() {
        byte[] first = sketch(30);
        Snapshot claim = runningWith(first);

        assertThat(sketchOf(refused(sketched(takeOver(claim), sketch(60))))).isEqualTo(first);
        assertThat(sketchOf(read(claim.ref()))).isEqualTo(first);
    }

    @Test
    void theSketchStaysInEveryState() {
        byte[] first = sketch(30);
        Snapshot renewed = applied(renew(runningWith(first), Terms.DEFAULT.lease()));

        assertThat(sketchOf(renewed)).isEqualTo(first);
        assertThat(sketchOf(applied(settle(renewed, Status.SUCCEEDED, "done")))).isEqualTo(first);
        assertThat(sketchOf(refused(insert(renewed.ref())))).isEqualTo(first);
        assertThat(sketchOf(applied(giveBack(runningWith(first))))).isEqualTo(first);
    }

    @Test
    void everyInsertOfABatchHasItsOwnSketch() {
        List<byte[]> sketches = List.of(sketch(10), NONE, sketch(Fingerprint.MAX_SKETCH), sketch(1));
        List<Command.Insert> inserts = sketches.stream()
                .map(sketch -> sketched(insert(newRef()), sketch))
                .toList();

        store().apply(inserts);

        for (int i = 0; i < inserts.size(); i++) {
            assertThat(sketchOf(read(inserts.get(i).ref()))).isEqualTo(sketches.get(i));
        }
    }

    @Test
    void everyTakeOverOfABatchHasItsOwnSketch() {
        List<byte[]> sketches = List.of(sketch(10), NONE, sketch(Fingerprint.MAX_SKETCH), sketch(1));
        List<Command> takeOvers = new ArrayList<>();
        for (byte[] sketch : sketches) {
            Snapshot retryable = applied(settle(runningWith(sketch(20)), Status.RETRYABLE));
            takeOvers.add(sketched(takeOver(retryable), sketch));
        }

        store().apply(takeOvers);

        for (int i = 0; i < takeOvers.size(); i++) {
            assertThat(sketchOf(read(takeOvers.get(i).ref()))).isEqualTo(sketches.get(i));
        }
    }

    /** Two inserts in one batch: the second one is shown the sketch of the first. */
    @Test
    void ofTwoInsertsOnOneClaimInABatchTheFirstCounts() {
        ClaimRef ref = newRef();
        byte[] first = sketch(10);

        List<Verdict> verdicts =
                store().apply(List.of(sketched(insert(ref), first), sketched(insert(ref), sketch(10))));

        assertThat(sketchOf(refusedOf(verdicts.get(1)))).isEqualTo(first);
        assertThat(sketchOf(read(ref))).isEqualTo(first);
    }

    @Test
    void aClaimWithSeveralKeysShowsItsSketchUnderEach() {
        ClaimRef name = newRef();
        byte[] first = sketch(10);
        Snapshot record = applied(sketched(insert(newRef(), List.of(name)), first));

        assertThat(sketchOf(record)).isEqualTo(first);
        assertThat(sketchOf(read(name))).isEqualTo(first);
        assertThat(sketchOf(refused(sketched(insert(name), sketch(5))))).isEqualTo(first);
        assertThat(sketchOf(refused(sketched(insert(newRef(), List.of(name)), sketch(5)))))
                .isEqualTo(first);
    }

    @Test
    void anExpiredClaimThatIsMadeAnewWithAliasesHasTheNewSketch() {
        for (byte[] next : List.of(sketch(20), NONE)) {
            Snapshot expired = applied(settle(runningWith(sketch(10)), Status.SUCCEEDED));
            age(expired.ref(), PAST_TTL);

            assertThat(sketchOf(applied(sketched(insert(expired.ref(), List.of(newRef())), next))))
                    .isEqualTo(next);
        }
    }

    /** It becomes a pointer to the claim of another request, so its own sketch is deleted. */
    @Test
    void anExpiredClaimThatBecomesAPointerHasNoSketch() {
        Snapshot expired = applied(settle(runningWith(sketch(10)), Status.SUCCEEDED));
        age(expired.ref(), PAST_TTL);
        Snapshot record = applied(sketched(insert(newRef(), List.of(expired.ref())), sketch(20)));
        applied(settle(record, Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);

        Snapshot name = read(expired.ref());

        assertThat(name.aliasOf()).isEqualTo(record.ref());
        assertThat(sketchOf(name)).isEmpty();
    }
}
