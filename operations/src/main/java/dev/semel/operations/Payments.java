// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.AsyncWork;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.payload.json.Json;
import java.util.concurrent.CompletionStage;

/**
 * Processes each payment once. A confirmation is identified by the provider's transaction; a request by provider, order, amount
 * and phone number. A retry that formats amount or phone number differently is a duplicate, by the rules of {@link Amount} and
 * {@link Phone}.
 *
 * <pre>{@code
 * PaymentRequest request = PaymentRequest.of(
 *         "acme", "momo", "order-17", Amount.of("1,000.00"), Phone.of("0788 123 456", "RW"));
 * PaymentOutcome<Json> outcome = payments.requestOnce(request, run -> momo.ask(request, run.childKey("ask")));
 * }</pre>
 *
 * <p>After a failure, or if a process dies, the next caller runs the work again. Pass {@code run.childKey} to a provider that
 * supports idempotency keys. For other providers, choose {@link OperationRules#parkWhenStale} and throw a {@link StopException}
 * of the class UNKNOWN if the provider does not answer. As with {@link Operations}, no outcome is thrown.
 */
public final class Payments {
    private final OnceRunner once;

    private Payments(OnceRunner once) {
        this.once = once;
    }

    /** Payments on this engine, with its secrets. */
    public static Payments on(Semel semel) {
        return new Payments(new OnceRunner(semel));
    }

    /** Runs the work for a confirmed payment on this thread, unless it succeeded before or is in progress. */
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

    /** Runs the work that requests a payment on this thread, unless it succeeded before or is in progress. */
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

    private <T> PaymentOutcome<T> run(ClaimKey key, OperationRules rules, JsonForm<T> form, Work<T> work) {
        return OperationResults.ofPayment(once.run(AliasedKey.of(key), rules, form, work));
    }

    private <T> CompletionStage<PaymentOutcome<T>> runAsync(
            ClaimKey key, OperationRules rules, JsonForm<T> form, AsyncWork<T> work) {
        return once.runAsync(AliasedKey.of(key), rules, form, work).thenApply(OperationResults::ofPayment);
    }
}
