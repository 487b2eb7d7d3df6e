// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.FailureClass;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Terms;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.PaymentOutcome.Duplicate;
import dev.semel.operations.PaymentOutcome.Failed;
import dev.semel.operations.PaymentOutcome.InProgress;
import dev.semel.operations.PaymentOutcome.Processed;
import dev.semel.payload.json.Json;
import dev.semel.testkit.MutableClock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PaymentsTest {
    private static final Json PAID = json("{'paid':true,'msisdn':'250788123456','token':'abc'}");
    private static final Json STORED = json("{'paid':true,'msisdn':'********3456','token':'[REDACTED]'}");

    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore memory = new MemoryClaimStore(clock);
    private final TestProcess process = TestProcess.on(memory);
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        process.close();
    }

    private static PaymentRequest request(String order, String amount, String phone) {
        return PaymentRequest.of("acme", "momo", order, Amount.of(amount), Phone.of(phone, "RW"));
    }

    private Work<Json> paying() {
        return run -> {
            effects.incrementAndGet();
            return PAID;
        };
    }

    @Test
    void aRepeatedConfirmationIsADuplicate() {
        PaymentConfirmation confirmation = PaymentConfirmation.of("acme", "momo", "tx-9");

        PaymentOutcome<Json> first = process.payments.confirmOnce(confirmation, paying());
        PaymentOutcome<Json> second = process.payments.confirmOnce(confirmation, paying());

        assertThat(first).isEqualTo(new Processed<>(PAID, null));
        assertThat(first.status()).isEqualTo("processed");
        assertThat(second).isEqualTo(new Duplicate<>(STORED, null));
        assertThat(second.status()).isEqualTo("duplicate");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aReformattedRequestIsADuplicate() {
        process.payments.requestOnce(request("order-17", "1000", "0788 123 456"), paying());

        assertThat(process.payments.requestOnce(request("order-17", "1,000.00", "+250788123456"), paying()))
                .isEqualTo(new Duplicate<>(STORED, null));
        assertThat(effects).hasValue(1);
    }

    @Test
    void anotherOrderAmountPhoneProviderOrOrganizationIsAnotherPayment() {
        process.payments.requestOnce(request("order-17", "1000", "0788123456"), paying());

        process.payments.requestOnce(request("order-18", "1000", "0788123456"), paying());
        process.payments.requestOnce(request("order-17", "1000.01", "0788123456"), paying());
        process.payments.requestOnce(request("order-17", "1000", "0788123457"), paying());
        Amount amount = Amount.of(1000);
        Phone phone = Phone.of("+250788123456");
        process.payments.requestOnce(PaymentRequest.of("acme", "airtel", "order-17", amount, phone), paying());
        process.payments.requestOnce(PaymentRequest.of("other", "momo", "order-17", amount, phone), paying());

        assertThat(effects).hasValue(6);
    }

    @Test
    void aDuplicateOfARunningPaymentIsInProgress() {
        PaymentConfirmation confirmation = PaymentConfirmation.of("acme", "momo", "tx-9");
        process.claimAndDie(AliasedKey.of(confirmation.key()), Terms.DEFAULT);

        PaymentOutcome<Json> running = process.payments.confirmOnce(confirmation, paying());

        assertThat(running).isEqualTo(new InProgress<>(Duration.ofSeconds(5)));
        assertThat(running.status()).isEqualTo("in_progress");
        clock.advance(Duration.ofMinutes(6));
        assertThat(process.payments.confirmOnce(confirmation, paying())).isEqualTo(new Processed<>(PAID, null));
    }

    @Test
    void aFailedPaymentRunsAgainAndAnUnknownOneDoesNot() {
        PaymentRequest request = request("order-17", "1000", "0788123456");
        IOException failure = new IOException("down");
        PaymentOutcome<Json> failed = process.payments.requestOnce(request, run -> {
            throw failure;
        });
        assertThat(failed).isEqualTo(new Failed<>(StopReason.OPERATION_FAILED, true, failure));
        assertThat(failed.status()).isEqualTo("failed");

        process.payments.requestOnce(request, run -> {
            throw new StopException("momo_silent", FailureClass.UNKNOWN);
        });
        assertThat(process.payments.requestOnce(request, paying()))
                .isEqualTo(new Failed<>(StopReason.OUTCOME_UNKNOWN, false, null));
        assertThat(effects).hasValue(0);
    }

    @Test
    void paymentsMayBeAsynchronous() {
        PaymentConfirmation confirmation =
                PaymentConfirmation.of("acme", "momo", "tx-9").with(OperationRules.PAYMENT.withoutExpiry());
        PaymentRequest request = request("order-17", "5", "0788123456").with(OperationRules.PAYMENT.parkWhenStale());

        assertThat(TestProcess.get(process.payments.confirmOnceAsync(
                        confirmation, JsonForm.json(), run -> CompletableFuture.completedFuture(PAID))))
                .isEqualTo(new Processed<>(PAID, null));
        assertThat(TestProcess.get(process.payments.requestOnceAsync(
                        request, JsonForm.json(), run -> CompletableFuture.completedFuture(PAID))))
                .isEqualTo(new Processed<>(PAID, null));
        clock.advance(Duration.ofDays(2));
        assertThat(process.payments.confirmOnce(confirmation, paying())).isEqualTo(new Duplicate<>(STORED, null));
        assertThat(process.payments.requestOnce(request, paying())).isEqualTo(new Processed<>(PAID, null));
    }

    @Test
    void mistakesAreThrown() {
        assertThatThrownBy(() -> PaymentConfirmation.of("acme", "momo", "")).hasMessageContaining("provider_tx_id");
        assertThatThrownBy(() -> request("", "1", "0788123456")).hasMessageContaining("order_id");
        assertThatThrownBy(() -> request("o", "1.000", "0788123456")).hasMessageContaining("ambiguous");
    }
}
