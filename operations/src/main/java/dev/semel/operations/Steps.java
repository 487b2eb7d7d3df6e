// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.AsyncWork;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.payload.json.Json;
import java.util.concurrent.CompletionStage;

/**
 * Runs workflow steps once for each run, step and input. A redelivered step reuses the result. A step that another worker is
 * running must be requeued.
 *
 * <pre>{@code
 * StepOutcome<Json> outcome = steps.run(StepRequest.of("acme", runId, "send-invoice", input), run -> send(input));
 * if (outcome instanceof StepOutcome.Locked<Json> locked) {
 *     queue.again(job, locked.retryAfter());
 * }
 * }</pre>
 *
 * <p>Results are encrypted by default, because the next step needs them completely. As with {@link Operations}, no outcome is
 * thrown.
 */
public final class Steps {
    private final OnceRunner once;

    private Steps(OnceRunner once) {
        this.once = once;
    }

    /** Steps on this engine, with its secrets. */
    public static Steps on(Semel semel) {
        return new Steps(new OnceRunner(semel));
    }

    /** Runs the step on this thread, unless it was done before or is in progress. */
    public StepOutcome<Json> run(StepRequest request, Work<Json> work) {
        return run(request, JsonForm.json(), work);
    }

    /** As {@link #run(StepRequest, Work)}, for results of any type. */
    public <T> StepOutcome<T> run(StepRequest request, JsonForm<T> form, Work<T> work) {
        return OperationResults.ofStep(once.run(AliasedKey.of(request.key()), request.rules(), form, work));
    }

    /** As {@link #run(StepRequest, Work)}, without blocking. */
    public CompletionStage<StepOutcome<Json>> runAsync(StepRequest request, AsyncWork<Json> work) {
        return runAsync(request, JsonForm.json(), work);
    }

    /** As {@link #runAsync(StepRequest, AsyncWork)}, for results of any type. */
    public <T> CompletionStage<StepOutcome<T>> runAsync(StepRequest request, JsonForm<T> form, AsyncWork<T> work) {
        return once.runAsync(AliasedKey.of(request.key()), request.rules(), form, work)
                .thenApply(OperationResults::ofStep);
    }
}
