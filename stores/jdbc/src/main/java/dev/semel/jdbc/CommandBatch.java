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
 * The commands of one transaction and their results so far. At most one command per claim, sorted by digest: inserts
 * first, then updates. A dialect that waits for locks takes the locks of all updates in this order before the first
 * update: locking one kind of command after the other would let two processes deadlock.
 */
final class CommandBatch {
    private final List<Command> commands;
    private final @Nullable Duration lockWait;
    private final int largestResult;
    private final List<Command> sorted;
    private final Map<OwnerToken, Command> byToken = new HashMap<>();
    private final Map<ClaimRef, Command> byRef = new HashMap<>();
    private final Map<ClaimRef, Verdict> verdicts = new HashMap<>();
    private final Set<ClaimRef> changed = new HashSet<>();
    private final Set<ClaimRef> undecided = new LinkedHashSet<>();

    CommandBatch(List<Command> commands) {
        this(commands, null, ClaimStore.largestResult(commands.size()));
    }

    /**
     * @param lockWait how long to wait for a lock; null to wait as long as a statement may take
     * @param largestResult the maximum number of bytes of a result that is read; larger results are omitted
     */
    CommandBatch(List<Command> commands, @Nullable Duration lockWait, int largestResult) {
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

    /** How long a statement waits for a lock; null to wait as long as a single statement may. */
    @Nullable
    Duration lockWait() {
        return lockWait;
    }

    /** The maximum number of bytes of a result that is read. */
    int largestResult() {
        return largestResult;
    }

    <C extends Command> List<C> only(Class<C> kind) {
        return sorted.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<Command> sorted() {
        return sorted;
    }

    /** Records that the command which writes this token was applied. */
    void applied(OwnerToken token, String scope, RecordId record, int attempt, long fence, Duration leaseLeft) {
        Command command = byToken.get(token);
        if (command == null) {
            throw new IllegalStateException("The database returned a token that is not in the batch");
        }
        verdicts.put(command.ref(), new Verdict.Applied(command.ref(), scope, record, attempt, fence, leaseLeft));
    }

    /** Records that this command's statement changed its row. The row is read later. */
    void changed(Command.Settle command) {
        changed.add(command.ref());
    }

    /**
     * Records the stored row of a command without an answer. It may contain the command's own effect from an earlier
     * attempt.
     */
    void found(ClaimRef ref, Snapshot claim) {
        Command command = byRef.get(ref);
        if (command == null) {
            return;
        }
        if (!command.isUndecidedBy(claim)) {
            verdicts.put(ref, Verdict.of(command, claim));
        } else if (changed.contains(ref)) {
            verdicts.put(
                    ref,
                    new Verdict.Applied(
                            ref, claim.scope(), claim.record(), claim.attempt(), claim.fence(), claim.leaseLeft()));
        } else {
            undecided.add(ref);
        }
    }

    /** The claims that may show an earlier settlement, but only by a result that was omitted. */
    List<ClaimRef> undecided() {
        return List.copyOf(undecided);
    }

    /** Decides an undecided claim by its row with the result; null if the row no longer exists. */
    void decide(ClaimRef ref, @Nullable Snapshot whole) {
        verdicts.put(
                ref, Verdict.of(Objects.requireNonNull(byRef.get(ref)), whole).withResultUpTo(largestResult));
    }

    /** The claims that have no answer yet. */
    List<ClaimRef> open() {
        return sorted.stream()
                .map(Command::ref)
                .filter(ref -> !verdicts.containsKey(ref) && !undecided.contains(ref))
                .toList();
    }

    /** The verdicts, in the order of the commands. */
    List<Verdict> verdicts() {
        List<Verdict> answers = new ArrayList<>(commands.size());
        for (Command command : commands) {
            Verdict verdict = verdicts.get(command.ref());
            answers.add(verdict == null ? new Verdict.Refused(null) : verdict);
        }
        return answers;
    }
}
