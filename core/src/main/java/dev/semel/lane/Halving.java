// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the entries that fail a batch, so that they fail alone: a batch that fails is tried again in halves. */
public final class Halving {
    private Halving() {}

    /**
     * Answers every entry of a batch. A part that the attempt does not answer is split in two, and both halves are attempted,
     * the first one first.
     *
     * @return the answers in the order of the entries
     * @throws IllegalStateException if the attempt does not answer a single entry
     */
    public static <E, R> List<R> answers(List<E> batch, Attempt<E, R> attempt) {
        if (batch.isEmpty()) {
            return List.of();
        }
        List<R> answers = new ArrayList<>(batch.size());
        attempt(batch, attempt, answers);
        return answers;
    }

    private static <E, R> void attempt(List<E> part, Attempt<E, R> attempt, List<R> answers) {
        Optional<List<R>> answered = attempt.of(part);
        if (answered.isPresent()) {
            answers.addAll(answered.get());
        } else if (part.size() == 1) {
            throw new IllegalStateException("A single entry must be answered, because it cannot be split");
        } else {
            int half = part.size() / 2;
            attempt(part.subList(0, half), attempt, answers);
            attempt(part.subList(half, part.size()), attempt, answers);
        }
    }

    /** Tries to answer a batch or a part of it. */
    @FunctionalInterface
    public interface Attempt<E, R> {
        /**
         * Returns one answer for each entry, in their order, or nothing if the part should be split. It must answer a part of
         * one entry, even if the answer is a failure. An exception ends the whole batch.
         */
        Optional<List<R>> of(List<E> part);
    }
}
