// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one transaction, at most one a claim, sorted by digest, and what has become of them so far. Inserts come
 * first, in this order, and then updates. A dialect that waits for locks takes those of all updates in this order before
 * the first of them: kind by kind, two processes would deadlock.
 */
final class Batch {
    private final List<Command> commands;
    private final @Nullable Duration lockWait;
    private final int largestResult;
    private final List<Command> sorted;
    private final Map<OwnerToken, Command> byToken = new HashMap<>();
    private final Map<ClaimRef, Command> byRef = new HashMap<>();
    private final Map<ClaimRef, Verdict> verdicts = new HashMap<>();
    private final Set<ClaimRef> changed = new HashSet<>();
    private final Set<ClaimRef> undecided = new LinkedHashSet<>();

    Batch(List<Command> commands) {
        this(commands, null, ClaimStore.largestResult(commands.size()));
    }

    /**
     * @param lockWait how long to wait for a lock; null for as long as a statement may take
     * @param largestResult the most bytes of a result that is read: larger ones are left out
     */
    Batch(List<Command> commands, @Nullable Duration lockWait, int largestResult) {
        this.commands = commands;
        this.lockWait = lockWait;
        this.largestResult = largestResult;
        this.sorted =
                commands.stream().sorted(Comparator.comparing(Command::ref)).toList();
        for (Command command : commands) {
            byToken.put(command.token(), command);
            byRef.put(command.ref(), command);
        }
    }

    int size() {
        return commands.size();
    }

    /** How long a statement waits for somebody else's lock; null for as long as a single statement may. */
    @Nullable
    Duration lockWait() {
        return lockWait;
    }

    /** The most bytes of a result that is read. */
    int largestResult() {
        return largestResult;
    }

    <C extends Command> List<C> only(Class<C> kind) {
        return sorted.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<Command> sorted() {
        return sorted;
    }

    /** Notes that the command which writes this token has taken effect. */
    void applied(OwnerToken token, RecordId record, int attempt, long fence, Duration leaseLeft) {
        Command command = byToken.get(token);
        if (command == null) {
            throw new IllegalStateException("The database returned a token that nobody sent");
        }
        verdicts.put(command.ref(), new Verdict.Applied(command.ref(), record, attempt, fence, leaseLeft));
    }

    /** Notes that this command's statement has changed its row; what is in it is read later. */
    void changed(Command.Settle command) {
        changed.add(command.ref());
    }

    /** What is there for a command of which nothing was heard: perhaps its own effect, from an earlier try. */
    void found(ClaimRef ref, Snapshot claim) {
        Command command = byRef.get(ref);
        if (command == null) {
            return;
        }
        if (!command.isUndecidedBy(claim)) {
            verdicts.put(ref, Verdict.of(command, claim));
        } else if (changed.contains(ref)) {
            verdicts.put(
                    ref, new Verdict.Applied(ref, claim.record(), claim.attempt(), claim.fence(), claim.leaseLeft()));
        } else {
            undecided.add(ref);
        }
    }

    /** The claims that tell whether a settlement was applied before, but only by a result that was left out. */
    List<ClaimRef> undecided() {
        return List.copyOf(undecided);
    }

    /** What an undecided claim is, its result included; null if it is gone. */
    void decide(ClaimRef ref, @Nullable Snapshot whole) {
        verdicts.put(
                ref, Verdict.of(Objects.requireNonNull(byRef.get(ref)), whole).withResultUpTo(largestResult));
    }

    /** The claims of which nothing was heard yet. */
    List<ClaimRef> open() {
        return sorted.stream()
                .map(Command::ref)
                .filter(ref -> !verdicts.containsKey(ref) && !undecided.contains(ref))
                .toList();
    }

    /** The verdicts, in the order in which the commands came. */
    List<Verdict> verdicts() {
        List<Verdict> answers = new ArrayList<>(commands.size());
        for (Command command : commands) {
            Verdict verdict = verdicts.get(command.ref());
            answers.add(verdict == null ? new Verdict.Refused(null) : verdict);
        }
        return answers;
    }
}
