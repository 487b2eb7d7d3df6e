// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One call returns a limited number of bytes and marks omitted results. A call about one claim omits nothing. */
abstract class ManyResultsContract extends ContractGroup {
    private static final int MEBIBYTE = 1 << 20;

    ManyResultsContract(ClaimStoreContract contract) {
        super(contract);
    }

    private static StoredResult result(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return new StoredResult("application/zip", bytes);
    }

    private static Command.Settle settlement(Snapshot owned, StoredResult result) {
        return new Command.Settle(owned.ref(), owned.token(), Status.SUCCEEDED, result, null);
    }

    /** One after the other, so that the contract itself sends no large batch. */
    private List<ClaimRef> settledWith(int... sizes) {
        List<ClaimRef> refs = new ArrayList<>();
        for (int size : sizes) {
            refs.add(applied(settlement(running(), result(size))).ref());
        }
        return refs;
    }

    private static int[] times(int count, int size) {
        return Collections.nCopies(count, size).stream().mapToInt(i -> i).toArray();
    }

    private List<Snapshot> shownToDuplicates(List<ClaimRef> refs) {
        return store().apply(refs.stream().map(Commands::insert).toList()).stream()
                .map(ContractGroup::refusedOf)
                .toList();
    }

    private List<Snapshot> readTogether(List<ClaimRef> refs) {
        Map<ClaimRef, Snapshot> found = store().read(refs);
        return refs.stream().map(ref -> Objects.requireNonNull(found.get(ref))).toList();
    }

    private static StoredResult resultOf(Snapshot claim) {
        return Objects.requireNonNull(claim.result(), "A result that exists must not be shown as none");
    }

    private static void requireShown(List<Snapshot> claims, int... sizes) {
        int largest = ClaimStore.largestResult(sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            StoredResult shown = resultOf(claims.get(i));
            assertThat(shown)
                    .as("a result of %d bytes among %d", sizes[i], sizes.length)
                    .isEqualTo(sizes[i] <= largest ? result(sizes[i]) : StoredResult.omitted(sizes[i]));
            assertThat(claims.get(i).status()).isEqualTo(Status.SUCCEEDED);
        }
        assertThat(claims.stream()
                        .map(ManyResultsContract::resultOf)
                        .filter(shown -> !shown.isOmitted())
                        .mapToLong(StoredResult::size)
                        .sum())
                .isLessThanOrEqualTo(Math.max(ClaimStore.MAX_RESULT_BYTES, sizes.length * ClaimStore.SMALL_RESULT));
    }

    @Test
    void sixtyResultsOfAMebibyteAreLeftOutAndEachIsReadAlone() {
        int[] sizes = times(60, MEBIBYTE);
        List<ClaimRef> refs = settledWith(sizes);

        requireShown(readTogether(refs), sizes);
        requireShown(shownToDuplicates(refs), sizes);
        for (ClaimRef ref : refs) {
            assertThat(read(ref).result()).isEqualTo(result(MEBIBYTE));
        }
        assertThat(refused(insert(refs.get(0))).result()).isEqualTo(result(MEBIBYTE));
    }

    @Test
    void theLimitDependsOnTheNumberOfReferences() {
        int share = ClaimStore.largestResult(8);
        int[] sizes = {0, 1, ClaimStore.SMALL_RESULT, share - 1, share, share + 1, MEBIBYTE, 2 * MEBIBYTE};
        List<ClaimRef> refs = settledWith(sizes);

        requireShown(readTogether(refs), sizes);
        requireShown(shownToDuplicates(refs), sizes);
        int[] two = {2 * MEBIBYTE, 2 * MEBIBYTE + 1};
        List<ClaimRef> pair = settledWith(two);
        requireShown(readTogether(pair), two);
        requireShown(shownToDuplicates(pair), two);
    }

    @Test
    void aMissingResultIsNotShownAsOmitted() {
        Snapshot owned = running();
        Snapshot without = applied(new Command.Settle(owned.ref(), owned.token(), Status.SUCCEEDED, null, null));
        List<ClaimRef> refs = List.of(without.ref(), settledWith(3 * MEBIBYTE).get(0));

        assertThat(readTogether(refs).get(0).result()).isNull();
        assertThat(shownToDuplicates(refs).get(0).result()).isNull();
        assertThat(readTogether(refs).get(1).resultOmitted()).isTrue();
    }

    @Test
    void smallResultsAreNeverLeftOut() {
        int[] sizes = times(300, ClaimStore.SMALL_RESULT);
        List<ClaimRef> refs = settledWith(sizes);

        requireShown(readTogether(refs), sizes);
        requireShown(shownToDuplicates(refs), sizes);
    }

    @Test
    void oneClaimRequestedManyTimesIsLimitedToo() {
        ClaimRef ref = settledWith(MEBIBYTE).get(0);

        requireShown(shownToDuplicates(Collections.nCopies(60, ref)), times(60, MEBIBYTE));
    }

    /** A settlement that was applied before is recognized by its result, even if that result would be omitted. */
    @Test
    void aSettlementThatIsSentAgainAmongManyIsRecognized() {
        Snapshot one = running();
        Snapshot other = running();
        Snapshot small = running();
        List<Command> batch = List.of(
                settlement(one, result(3 * MEBIBYTE)),
                settlement(other, result(MEBIBYTE)),
                settlement(small, result(10)));

        assertThat(store().apply(batch)).hasSize(3).allMatch(verdict -> verdict instanceof Verdict.Applied);
        for (int i = 0; i < 2; i++) {
            assertThat(secondStore().apply(batch)).hasSize(3).allMatch(verdict -> verdict instanceof Verdict.Applied);
        }
        assertThat(read(one.ref()).result()).isEqualTo(result(3 * MEBIBYTE));
    }

    @Test
    void aSettlementWithOtherContentIsRefusedAmongMany() {
        Snapshot owned = running();
        Snapshot other = running();
        applied(settlement(owned, result(3 * MEBIBYTE)));
        byte[] changed = result(3 * MEBIBYTE).bytes();
        changed[changed.length - 1]++;

        List<Verdict> verdicts = store().apply(List.of(
                settlement(owned, new StoredResult("application/zip", changed)), settlement(other, result(1))));
        List<Verdict> shorter =
                store().apply(List.of(settlement(owned, result(3 * MEBIBYTE - 1)), settlement(other, result(1))));
        List<Verdict> otherType = store().apply(List.of(
                settlement(
                        owned,
                        new StoredResult("text/plain", result(3 * MEBIBYTE).bytes())),
                settlement(other, result(1))));

        for (List<Verdict> each : List.of(verdicts, shorter, otherType)) {
            assertThat(refusedOf(each.get(0)).result()).isEqualTo(StoredResult.omitted(3 * MEBIBYTE));
            assertThat(each.get(1)).isInstanceOf(Verdict.Applied.class);
        }
        assertThat(read(owned.ref()).result()).isEqualTo(result(3 * MEBIBYTE));
    }

    @Test
    void resultsFoundByAliasesAreLimitedToo() {
        List<ClaimRef> names = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ClaimRef name = newRef();
            applied(settlement(applied(insert(newRef(), List.of(name))), result(MEBIBYTE)));
            names.add(name);
        }
        int[] sizes = times(5, MEBIBYTE);

        requireShown(readTogether(names), sizes);
        requireShown(shownToDuplicates(names), sizes);
        List<Verdict> aliased = store().apply(names.stream()
                .map(name -> insert(newRef(), List.of(name)))
                .toList());
        requireShown(aliased.stream().map(ContractGroup::refusedOf).toList(), sizes);
        assertThat(read(names.get(0)).result()).isEqualTo(result(MEBIBYTE));
        assertThat(refused(insert(names.get(0))).result()).isEqualTo(result(MEBIBYTE));
        assertThat(refused(insert(newRef(), List.of(names.get(0), newRef()))).result())
                .as("one claim with several keys")
                .isEqualTo(result(MEBIBYTE));
    }

    /** Each of its keys is a record with a large result. One of them is returned whole, and the others are not loaded. */
    @Test
    void oneClaimWithConflictingKeysIsReturnedWithItsWholeResult() {
        List<ClaimRef> refs = settledWith(times(6, 2 * MEBIBYTE));

        Verdict.Refused verdict = (Verdict.Refused) verdict(store(), insert(refs.get(0), refs.subList(1, refs.size())));

        assertThat(refusedOf(verdict).result()).isEqualTo(result(2 * MEBIBYTE));
        assertThat(verdict.conflict()).isNotNull();
    }
}
