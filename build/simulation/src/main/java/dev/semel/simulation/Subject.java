// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One piece of work that must happen once: its keys, and how its operation is set up. */
final class Subject {
    private static final String SCOPE = "work";

    /** Longer than a command can be on its way. Otherwise a claim could be made by a command that its maker has forgotten. */
    private static final long SHORTEST_TTL_MILLIS = 10_000;

    private final List<ClaimKey> keys;
    private final List<String> names;
    private final Operation<byte[]> operation;
    private final Duration maxWait;
    private final boolean linked;
    private final boolean fingerprinted;
    private int attemptCap = Integer.MAX_VALUE;
    private final List<ClaimKey> known = new ArrayList<>();

    Subject(int number, Dice dice, Effects effects) {
        int count = dice.chance(0.4) ? dice.between(2, 4) : 1;
        keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(new ClaimKey("acme", SCOPE, "s%d%c".formatted(number, 'a' + i)));
        }
        names = keys.stream().map(ClaimKey::key).toList();
        linked = dice.chance(0.7);
        fingerprinted = dice.chance(0.2);
        maxWait = dice.chance(0.5) ? Duration.ZERO : Duration.ofMillis(dice.between(50L, 3_000L));
        operation = operation(dice, effects);
    }

    private Operation<byte[]> operation(Dice dice, Effects effects) {
        Duration lease = Duration.ofMillis(dice.spread(300, 2_500));
        Operation<byte[]> made = Operation.of(SCOPE, Codec.bytes())
                .withLease(lease)
                .waitingUpTo(maxWait)
                .classifyingFailures(failure ->
                        failure instanceof SimulatedFailure known ? known.failureClass() : FailureClass.RETRYABLE)
                .storingFailures(failure -> new StoredResult(
                        "text/plain", String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8)));
        if (dice.chance(0.3)) {
            made = made.withMaxRun(lease.multipliedBy(dice.between(1, 4)));
        }
        made = dice.chance(0.2)
                ? made.withoutExpiry()
                : made.withTtl(
                        Duration.ofMillis(dice.chance(0.5) ? dice.between(SHORTEST_TTL_MILLIS, 15_000) : 3_600_000));
        if (dice.chance(0.3)) {
            attemptCap = dice.between(1, 5);
            made = made.withAttemptCap(attemptCap);
        }
        return switch (dice.between(0, 6)) {
            case 0 -> made.parkWhenStale();
            case 1, 2 -> made.reconcileWhenStale(effects::probe);
            default -> made;
        };
    }

    List<ClaimKey> keys() {
        return keys;
    }

    /** The keys as text. */
    List<String> names() {
        return names;
    }

    Operation<byte[]> operation() {
        return operation;
    }

    /** How many attempts the engine begins at most. */
    int attemptCap() {
        return attemptCap;
    }

    Duration maxWait() {
        return maxWait;
    }

    boolean parks() {
        return operation.terms().onStale() == StalePolicy.PARK;
    }

    /**
     * The keys of one caller. In most subjects every caller knows the first key, or an alias that a caller with the first key was
     * told about. In the others callers know any of the keys, so that they can be in conflict.
     */
    AliasedKey key(Dice dice) {
        if (keys.size() == 1) {
            return AliasedKey.of(keys.get(0));
        }
        if (linked) {
            if (!known.isEmpty() && dice.chance(0.3)) {
                return AliasedKey.of(dice.oneOf(known));
            }
            List<ClaimKey> some = chosen(dice, keys.subList(1, keys.size()));
            return dice.chance(0.7) || some.isEmpty()
                    ? new AliasedKey(keys.get(0), some)
                    : new AliasedKey(some.get(0), List.of(keys.get(0)));
        }
        List<ClaimKey> some = chosen(dice, keys);
        return some.isEmpty()
                ? AliasedKey.of(dice.oneOf(keys))
                : new AliasedKey(some.get(0), some.subList(1, some.size()));
    }

    private static List<ClaimKey> chosen(Dice dice, List<ClaimKey> from) {
        return from.stream().filter(key -> dice.chance(0.5)).toList();
    }

    /** A caller with this key got a final answer, so its aliases lead to it for as long as it is kept. */
    void answered(AliasedKey key) {
        if (linked) {
            known.addAll(key.aliases());
        }
    }

    /** The claim was forgotten or has expired: its aliases may lead nowhere. */
    void unlink() {
        known.clear();
    }

    Fingerprint fingerprint(Dice dice) {
        if (!fingerprinted || dice.chance(0.6)) {
            return Fingerprint.NONE;
        }
        return Fingerprint.of(dice.chance(0.8) ? "one" : "another");
    }
}
