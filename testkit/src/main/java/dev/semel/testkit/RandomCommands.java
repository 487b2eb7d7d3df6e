// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random commands of honest, late and hostile callers, from a seed.
 *
 * <p>Two clocks differ, so a few seconds must make no difference. All times are multiples of a grain: ages are 3n grains;
 * leases, run times and TTLs are 3n + 1; a lease plus a TTL is 3n + 2. So an age is never closer than one grain to the end
 * of a lease or TTL.
 */
final class RandomCommands {
    private final Random random;
    private final List<ClaimRef> refs;
    private final boolean aliased;
    private final List<OwnerToken> tokens = new ArrayList<>();
    private final List<Command> sent = new ArrayList<>();

    RandomCommands(Random random, List<ClaimRef> refs, boolean aliased) {
        this.random = random;
        this.aliased = aliased;
        this.refs = refs;
    }

    /** A few commands for claims in this state. */
    List<Command> batch(Map<ClaimRef, Snapshot> state) {
        return some(oneOf(1, 1, 1, 2, 4), state);
    }

    /** One command for claims in this state. */
    List<Command> one(Map<ClaimRef, Snapshot> state) {
        return some(1, state);
    }

    private List<Command> some(int size, Map<ClaimRef, Snapshot> state) {
        List<Command> batch = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Command command = sent.isEmpty() || random.nextInt(8) > 0 ? fresh(state) : oneOf(sent);
            batch.add(command);
            sent.add(command);
        }
        return batch;
    }

    ClaimRef ref() {
        return oneOf(refs);
    }

    Duration age() {
        return grains(oneOf(3, 6, 15));
    }

    private Command fresh(Map<ClaimRef, Snapshot> state) {
        ClaimRef ref = ref();
        Snapshot claim = state.get(ref);
        Command.Insert insert = Commands.sketched(
                Commands.insert(ref, terms(), aliased && random.nextInt(3) == 0 ? aliasesOf(ref) : List.of()),
                sketch());
        tokens.add(insert.token());
        OwnerToken expected = token(claim);
        // Like the engine: takes over the record of an alias. Sometimes the alias itself.
        ClaimRef at = claim == null || random.nextInt(8) == 0 ? ref : claim.ref();
        return switch (random.nextInt(3) > 0 ? fitting(claim) : random.nextInt(9)) {
            case 0, 1 -> insert;
            case 2, 3 ->
                new Command.TakeOver(
                        at,
                        expected,
                        insert.token(),
                        random.nextInt(3) == 0 ? null : insert.record(),
                        insert.fingerprint(),
                        insert.terms());
            case 4, 5 -> new Command.Renew(at, expected, grains(oneOf(0, 1, 4)));
            case 8 ->
                new Command.GiveBack(
                        at,
                        expected,
                        insert.token(),
                        oneOf(Arrays.asList(null, StalePolicy.RERUN, StalePolicy.RECONCILE)));
            default -> new Command.Settle(at, expected, settled(), result(), reason());
        };
    }

    private List<ClaimRef> aliasesOf(ClaimRef ref) {
        List<ClaimRef> others = new ArrayList<>(refs);
        others.remove(ref);
        Collections.shuffle(others, random);
        return others.subList(0, oneOf(1, 1, 2));
    }

    /** The regular next command. Random commands alone would rarely make progress. */
    private int fitting(@Nullable Snapshot claim) {
        if (claim == null) {
            return 0;
        }
        if (claim.reclaimable()) {
            return 2;
        }
        return claim.status().isOpen() ? oneOf(4, 6, 8) : random.nextInt(9);
    }

    /** Mostly the claim's token, sometimes an earlier one of any claim, sometimes a random one. */
    private OwnerToken token(@Nullable Snapshot claim) {
        int chance = random.nextInt(10);
        if (claim != null && chance < 8) {
            return claim.token();
        }
        // Not the last one: it is the new token of this command.
        return chance < 9 && tokens.size() > 1 ? tokens.get(random.nextInt(tokens.size() - 1)) : OwnerToken.random();
    }

    private Terms terms() {
        int lease = oneOf(1, 4, 7);
        int maxRun = lease + oneOf(0, 3, 9);
        int ttl = oneOf(4, 4, 10, 10, 0);
        return new Terms(
                grains(lease),
                grains(maxRun),
                ttl == 0 ? Optional.empty() : Optional.of(grains(ttl)),
                oneOf(Arrays.asList(StalePolicy.values())));
    }

    private Status settled() {
        return oneOf(List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE, Status.RETRYABLE, Status.UNKNOWN));
    }

    private byte[] sketch() {
        byte[] sketch = new byte[oneOf(0, 0, 1, 40)];
        random.nextBytes(sketch);
        return sketch;
    }

    // So few that the same settlement sometimes repeats.

    private @Nullable StoredResult result() {
        return random.nextBoolean() ? Commands.text(oneOf(List.of("", "a", "b"))) : null;
    }

    private @Nullable String reason() {
        return random.nextBoolean() ? oneOf(List.of("for one reason", "for another")) : null;
    }

    private static Duration grains(int count) {
        return ComparableClaim.GRAIN.multipliedBy(count);
    }

    private int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    private <E> E oneOf(List<E> values) {
        return values.get(random.nextInt(values.size()));
    }
}
