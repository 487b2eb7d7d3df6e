// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Results of every size are stored exactly, alone and in one batch with results of other sizes. */
abstract class LargeResultsContract extends ContractGroup {
    private static final int MEGABYTE = 1024 * 1024;

    /** Sizes around the lengths that databases store with 8, 16 and 24 bits. */
    private static final List<Integer> SIZES = List.of(
            0, 1, 255, 256, 8_191, 8_192, 8_193, 16_383, 16_384, 65_534, 65_535, 65_536, 65_537, 70_000, MEGABYTE);

    LargeResultsContract(ClaimStoreContract contract) {
        super(contract);
    }

    @TestFactory
    Stream<DynamicTest> aResultOfEverySizeIsKept() {
        return SIZES.stream()
                .flatMap(size -> Stream.of(
                        dynamicTest(size + " bytes alone", () -> settledTogether(List.of(size))),
                        dynamicTest(size + " bytes before one byte", () -> settledTogether(List.of(size, 1))),
                        dynamicTest(size + " bytes after nothing", () -> settledTogether(List.of(0, size))),
                        dynamicTest(size + " bytes twice", () -> settledTogether(List.of(size, size)))));
    }

    @Test
    void aBatchOfAllSizesIsKept() {
        settledTogether(SIZES);
    }

    /** The store may split it over several statements. */
    @Test
    void aBatchOfManyMegabytesIsKept() {
        settledTogether(IntStream.range(0, 24).map(i -> MEGABYTE + i).boxed().toList());
    }

    /** A database that cannot store it rejects only this result, and the owner keeps the claim. */
    @Test
    void aResultOfTheMaximumSizeIsStoredOrRejectedAlone() {
        settledTogether(List.of(StoredResult.MAX_BYTES));
        settledTogether(List.of(1, StoredResult.MAX_BYTES, 70_000));
    }

    @Test
    void theLongestTypeAndReasonAreKeptInABatch() {
        String reason = "\ud83d\ude00".repeat(Command.Settle.MAX_REASON / 2);
        List<Command.Settle> settlements = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Snapshot owned = running();
            boolean longest = i % 2 == 1;
            settlements.add(new Command.Settle(
                    owned.ref(),
                    owned.token(),
                    Status.FAILED,
                    new StoredResult(longest ? "x".repeat(StoredResult.MAX_TYPE) : "x", new byte[i]),
                    longest ? reason : null));
        }
        requireKept(settlements);
    }

    /** In the given order. The digests, and so the order in the store, are random. */
    private void settledTogether(List<Integer> sizes) {
        List<Command.Settle> settlements = new ArrayList<>();
        for (int size : sizes) {
            Snapshot owned = running();
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            settlements.add(new Command.Settle(
                    owned.ref(), owned.token(), Status.SUCCEEDED, new StoredResult("application/zip", bytes), null));
        }
        requireKept(settlements);
    }

    private void requireKept(List<Command.Settle> settlements) {
        List<Verdict> verdicts = store().apply(settlements);
        for (int i = 0; i < settlements.size(); i++) {
            Command.Settle settle = settlements.get(i);
            StoredResult result = settle.result();
            if (result != null
                    && result.size() == StoredResult.MAX_BYTES
                    && verdicts.get(i) instanceof Verdict.Errored) {
                StoreException cause = ((Verdict.Errored) verdicts.get(i)).cause();
                assertThat(cause.kind()).isEqualTo(StoreException.Kind.REJECTED);
                assertThat(read(settle.ref()).status()).isEqualTo(Status.IN_PROGRESS);
            } else {
                assertInstanceOf(Verdict.Applied.class, verdicts.get(i), "the owner's verdict about " + result);
                Snapshot kept = read(settle.ref());
                assertThat(kept.status()).isEqualTo(settle.status());
                assertThat(kept.result()).isEqualTo(result);
                assertThat(kept.reason()).isEqualTo(settle.reason());
            }
        }
    }
}
