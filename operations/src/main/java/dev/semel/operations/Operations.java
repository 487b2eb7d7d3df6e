// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.AsyncWork;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.payload.json.Json;
import java.util.concurrent.CompletionStage;

/**
 * Runs expensive operations once for equal inputs. A double click, a refresh or a retry gets the result of the first call.
 *
 * <pre>{@code
 * Operations operations = Operations.on(semel);
 * OperationResult<Json> result = operations.withIdempotency(
 *         OperationRequest.of("launchbase", "actionRequests.aiProposeCopy",
 *                         Inputs.none().and("intakeId", 123).userText(whatTheUserTyped))
 *                 .ttlHours(24)
 *                 .staleTakeoverMinutes(5),
 *         run -> refine(...));
 * }</pre>
 *
 * <p>No outcome is thrown. Exceptions are thrown only for mistakes in the call (a null, a key nested in itself), and for an
 * {@link Error} of the work after its claim is settled.
 *
 * <p>The rules decide how much of a result is stored, by default the members in
 * {@link dev.semel.payload.redact.AllowList#CUSTOMER_SAFE}. The first caller gets the full result, and replays get the stored
 * part. Safe for use by concurrent threads.
 */
public final class Operations {
    private final OnceRunner once;

    private Operations(OnceRunner once) {
        this.once = once;
    }

    /** Operations on this engine, with its secrets. */
    public static Operations on(Semel semel) {
        return new Operations(new OnceRunner(semel));
    }

    /** Runs the work on this thread, unless it succeeded before or is in progress. */
    public OperationResult<Json> withIdempotency(OperationRequest request, Work<Json> work) {
        return withIdempotency(request, JsonForm.json(), work);
    }

    /** As {@link #withIdempotency(OperationRequest, Work)}, for results of any type. */
    public <T> OperationResult<T> withIdempotency(OperationRequest request, JsonForm<T> form, Work<T> work) {
        return once.run(keyOf(request), request.rules(), form, work);
    }

    /** As {@link #withIdempotency(OperationRequest, Work)}, without blocking. */
    public CompletionStage<OperationResult<Json>> withIdempotencyAsync(OperationRequest request, AsyncWork<Json> work) {
        return withIdempotencyAsync(request, JsonForm.json(), work);
    }

    /** As {@link #withIdempotencyAsync(OperationRequest, AsyncWork)}, for results of any type. */
    public <T> CompletionStage<OperationResult<T>> withIdempotencyAsync(
            OperationRequest request, JsonForm<T> form, AsyncWork<T> work) {
        return once.runAsync(keyOf(request), request.rules(), form, work);
    }

    /** Computes the key of these inputs by the current secret, see {@link OperationKey}. */
    public String computeIdempotencyKey(String tenant, Json inputs) {
        return OperationKey.compute(once.secrets().current(), tenant, inputs);
    }

    /** The hash that replaces a user's text in inputs, see {@link UserText}. */
    public static String hashUserText(String text) {
        return UserText.hash(text);
    }

    private AliasedKey keyOf(OperationRequest request) {
        return OperationKey.of(once.secrets(), request.tenant(), request.scope(), request.inputs());
    }
}
