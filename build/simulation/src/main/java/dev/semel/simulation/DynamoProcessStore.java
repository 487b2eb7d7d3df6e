// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.dynamodb.SimulatedDynamo;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The DynamoDB store of one process. Nothing can wait in a simulation: a call runs until it needs the store's answer, and is run
 * again from its beginning when the answer is there. A call asks the store once.
 */
final class DynamoProcessStore implements ClaimStore, CacheEpoch {
    private final SimulatedDynamo dynamo;
    private @Nullable Asked<?> asked;

    DynamoProcessStore(SimulatedDynamo dynamo) {
        this.dynamo = dynamo;
    }

    /** Makes a call. Exactly one of the consumers gets its answer. */
    <R> void call(Supplier<R> work, Consumer<R> answered, Consumer<Throwable> failed) {
        run(new Asked<>(), work, answered, failed);
    }

    private <R> void run(Asked<?> question, Supplier<R> work, Consumer<R> answered, Consumer<Throwable> failed) {
        R answer;
        asked = question;
        try {
            answer = work.get();
        } catch (NotYet e) {
            Objects.requireNonNull(question.answer)
                    .whenComplete((any, failure) -> run(question, work, answered, failed));
            return;
        } catch (StoreException | CompletionException e) {
            failed.accept(e);
            return;
        } finally {
            asked = null;
        }
        answered.accept(answer);
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        return answer(() -> dynamo.apply(commands));
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return answer(() -> dynamo.read(refs));
    }

    @Override
    public SweepReport sweep(int limit) {
        return answer(() -> dynamo.sweep(limit));
    }

    @Override
    public long current() {
        return answer(dynamo::current);
    }

    @Override
    public long advance() {
        throw new UnsupportedOperationException("Only an operator begins an epoch");
    }

    @SuppressWarnings("unchecked") // The second run of a call asks the same question as the first.
    private <A> A answer(Supplier<CompletableFuture<A>> question) {
        Asked<A> current = (Asked<A>) Objects.requireNonNull(asked, "Only a worker calls the store");
        if (current.answer == null) {
            current.answer = question.get();
        }
        if (!current.answer.isDone()) {
            throw new NotYet();
        }
        try {
            return current.answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException known) {
                throw known;
            }
            throw e;
        }
    }

    /** What a call has asked the store. */
    private static final class Asked<A> {
        private @Nullable CompletableFuture<A> answer;
    }

    /** The answer is not there yet. */
    private static final class NotYet extends RuntimeException {
        private static final long serialVersionUID = 1;

        private NotYet() {
            super(null, null, false, false);
        }
    }
}
