// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The rows of several partitions of the index, merged, the newest first. Holds some rows of each partition. For one thread. */
final class DynamoNewest {
    /** More than one page of an answer is of no use. */
    private static final int MOST_OF_A_PART = 2_000;

    private static final int FEWEST_OF_A_PART = 4;

    private final DynamoIndexes indexes;
    private final byte[] low;
    private final List<Part> parts;

    /**
     * @param low the earliest position
     * @param high the latest position
     */
    DynamoNewest(DynamoIndexes indexes, List<AttributeValue> partitions, byte[] low, byte[] high) {
        this.indexes = indexes;
        this.low = low;
        this.parts = partitions.stream().map(key -> new Part(key, high)).toList();
    }

    private static final class Part {
        private final AttributeValue key;
        private final Deque<DynamoIndexes.Listed> rows = new ArrayDeque<>();
        private byte[] high;
        private boolean ended;

        Part(AttributeValue key, byte[] high) {
            this.key = key;
            this.high = high;
        }
    }

    /** The next rows, up to this many. Fewer only at the end. Blocks. */
    List<DynamoIndexes.Listed> next(int most) {
        List<DynamoIndexes.Listed> next = new ArrayList<>();
        while (next.size() < most) {
            // A part without rows in memory may have the newest row.
            fill(most - next.size());
            Part newest = newest();
            if (newest == null) {
                break;
            }
            next.add(newest.rows.removeFirst());
        }
        return next;
    }

    private @Nullable Part newest() {
        Part newest = null;
        for (Part part : parts) {
            if (!part.rows.isEmpty()
                    && (newest == null || Arrays.compareUnsigned(positionOf(part), positionOf(newest)) > 0)) {
                newest = part;
            }
        }
        return newest;
    }

    private static byte[] positionOf(Part part) {
        return part.rows.getFirst().position();
    }

    /** Digests are spread evenly, so every part has about the same share of the next rows. */
    private void fill(int wanted) {
        int share = 2 * wanted / parts.size() + FEWEST_OF_A_PART;
        List<CompletableFuture<Part>> filling = new ArrayList<>();
        for (Part part : parts) {
            if (part.rows.isEmpty() && !part.ended) {
                filling.add(fill(part, Math.min(share, MOST_OF_A_PART)));
            }
        }
        DynamoFutures.await(DynamoFutures.all(filling));
    }

    private CompletableFuture<Part> fill(Part part, int most) {
        if (Arrays.compareUnsigned(low, part.high) > 0) {
            part.ended = true;
            return CompletableFuture.completedFuture(part);
        }
        return indexes.listed(part.key, low, part.high, most).thenApply(some -> {
            part.ended = some.last();
            if (!some.rows().isEmpty()) {
                part.rows.addAll(some.rows());
                part.high = DynamoListing.before(part.rows.getLast().position());
            }
            return part;
        });
    }
}
