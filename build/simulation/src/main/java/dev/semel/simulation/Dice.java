// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices by a seed. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        this(new SplittableRandom(seed));
    }

    private Dice(SplittableRandom random) {
        this.random = random;
    }

    /** Other dice, whose throws do not change these. */
    Dice split() {
        return new Dice(random.split());
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** From {@code from} up to, but not including, {@code to}. */
    long between(long from, long to) {
        return random.nextLong(from, to);
    }

    int between(int from, int to) {
        return random.nextInt(from, to);
    }

    /** As {@link #between}, but a short time is as likely as one that is ten times as long. */
    long spread(long from, long to) {
        return (long) (from * Math.pow((double) to / from, random.nextDouble()));
    }

    <E> E oneOf(List<E> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
