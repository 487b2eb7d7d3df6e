// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.AsyncWork;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import java.util.concurrent.CompletionStage;

/**
 * Payments, once: a confirmation by the provider's transaction, a request by provider, order, amount and telephone. A
 * retry that spells amount or telephone differently is a duplicate, by the rules of {@link Amount} and {@link Phone}.
 *
 * <pre>{@code
 * PaymentRequest request = PaymentRequest.of(
 *         "acme", "momo", "order-17", Amount.of("1,000.00"), Phone.of("0788 123 456", "RW"));
 * PaymentOutcome<Json> outcome = payments.requestOnce(request, run -> momo.ask(request, run.childKey("ask")));
 * }</pre>
 *
 * <p>After a failure, or when a process dies half-way, the next caller runs it again: hand {@code run.childKey} to a
 * provider that honours such keys, or else choose {@link Rules#parkWhenStale} and throw a {@link StopException} of the
 * class UNKNOWN when a provider does not answer. As with {@link Operations}, no outcome is thrown.
 */
public final class Payments {
    private final OnceRunner once;

    private Payments(OnceRunner once) {
        this.once = once;
    }

    /**
     * Payments on this engine.
     *
     * @param secrets the engine's own, in the same order
     */
    public static Payments on(Semel semel, Secrets secrets) {
        return new Payments(new OnceRunner(semel, secrets));
    }

    /** Does what a confirmed payment calls for, on this thread, unless it was done or is being done. */
    public PaymentOutcome<Json> confirmOnce(PaymentConfirmation confirmation, Work<Json> work) {
        return confirmOnce(confirmation, JsonForm.json(), work);
    }

    /** As {@link #confirmOnce(PaymentConfirmation, Work)}, for results of any type. */
    public <T> PaymentOutcome<T> confirmOnce(PaymentConfirmation confirmation, JsonForm<T> form, Work<T> work) {
        return run(confirmation.key(), confirmation.rules(), form, work);
    }

    /** As {@link #confirmOnce(PaymentConfirmation, JsonForm, Work)}, without blocking. */
    public <T> CompletionStage<PaymentOutcome<T>> confirmOnceAsync(
            PaymentConfirmation confirmation, JsonForm<T> form, AsyncWork<T> work) {
        return runAsync(confirmation.key(), confirmation.rules(), form, work);
    }

    /** Asks for a payment, on this thread, unless it was asked for or is being asked for. */
    public PaymentOutcome<Json> requestOnce(PaymentRequest request, Work<Json> work) {
        return requestOnce(request, JsonForm.json(), work);
    }

    /** As {@link #requestOnce(PaymentRequest, Work)}, for results of any type. */
    public <T> PaymentOutcome<T> requestOnce(PaymentRequest request, JsonForm<T> form, Work<T> work) {
        return run(request.key(), request.rules(), form, work);
    }

    /** As {@link #requestOnce(PaymentRequest, JsonForm, Work)}, without blocking. */
    public <T> CompletionStage<PaymentOutcome<T>> requestOnceAsync(
            PaymentRequest request, JsonForm<T> form, AsyncWork<T> work) {
        return runAsync(request.key(), request.rules(), form, work);
    }

    private <T> PaymentOutcome<T> run(ClaimKey key, Rules rules, JsonForm<T> form, Work<T> work) {
        return OperationResults.ofPayment(once.run(AliasedKey.of(key), rules, form, work));
    }

    private <T> CompletionStage<PaymentOutcome<T>> runAsync(
            ClaimKey key, Rules rules, JsonForm<T> form, AsyncWork<T> work) {
        return once.runAsync(AliasedKey.of(key), rules, form, work).thenApply(OperationResults::ofPayment);
    }
}
