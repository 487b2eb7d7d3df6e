// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.Json;
import dev.semel.testservers.PayPalSender;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayPalTest extends ProviderContract {
    private static final String CERT_URL = "https://api.paypal.com/v1/notifications/certs/CERT-1";

    @Override
    List<SignedDelivery> signed() {
        Json vector = SignatureVectors.of("paypal").get(0);
        // The certificate was valid at that time.
        return List.of(SignatureVectors.sample(
                        "paypal", "webhook_id", vector, SignatureVectors.text(vector, "webhook_id"), 0)
                .by(ids -> Providers.of(
                        "paypal",
                        ProviderConfig.none()
                                .with("webhook_id", ids.get(0))
                                .with("certificate", SignatureVectors.text(vector, "certificate_pem"))))
                .sent(Instant.parse("2017-03-30T20:04:05Z")));
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"id\":\"WH-123\"}");
    }

    @Override
    String key() {
        return "ev_WH-123";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"event_type\":\"x\"}"));
    }

    @Override
    Provider provider() {
        return Providers.of("paypal", ProviderConfig.none());
    }

    @Test
    void eventIdAndTransmissionIdAreKeysOfOneEvent() {
        EventKeys both = keys(SignedDelivery.request(Map.of("PAYPAL-TRANSMISSION-ID", "t1"), "{\"id\":\"WH-1\"}"))
                .get(0);
        EventKeys one = keys(SignedDelivery.request(Map.of("X-PAYPAL-TRANSMISSION-ID", "t1"), "{}"))
                .get(0);

        assertThat(both.key()).isEqualTo("ev_WH-1");
        assertThat(both.aliases()).isEmpty();
        assertThat(both.signedAliases()).containsExactly("tx_t1");
        assertThat(one.key()).isEqualTo("tx_t1");
    }

    @Test
    void captureAndSaleConfirmAPaymentAndARefundDoesNot() {
        for (String type : List.of("PAYMENT.CAPTURE.COMPLETED", "PAYMENT.SALE.COMPLETED")) {
            assertThat(payments(of(type))).containsExactly(new Payment.Confirmation("c1"));
        }
        assertThat(payments(of("PAYMENT.CAPTURE.REFUNDED"))).isEmpty();
    }

    private static WebhookRequest of(String type) {
        return SignedDelivery.request(
                Map.of(), "{\"id\":\"WH-1\",\"event_type\":\"" + type + "\",\"resource\":{\"id\":\"c1\"}}");
    }

    @Test
    void anExpiredCertificateIsRefused() {
        SignedDelivery sample = signed().get(0);

        assertThat(verify(provider(sample), sample.request(), Instant.parse("2026-01-01T00:00:00Z")))
                .isEqualTo(new Verification.Refused("the certificate is not trusted"));
    }

    @Test
    void aVerifiedTransmissionMustBeBoundToItsBody() {
        SignedDelivery sample = signed().get(0);

        assertThat(verify(provider(sample), sample.request(), sample.at()))
                .isInstanceOfSatisfying(
                        Verification.Verified.class,
                        verified -> assertThat(verified.transmission())
                                .contains(new Verification.Transmission(
                                        "paypal:" + sample.secret() + ":"
                                                + sample.headers().get("PAYPAL-TRANSMISSION-ID"),
                                        Duration.ofDays(5).plusSeconds(60))));
    }

    private static Provider provider(SignedDelivery sample) {
        return sample.by().apply(List.of(sample.secret()));
    }

    @Test
    void aFetchedCertificateMustBeTrustedAndIsCached() {
        PayPalSender made = PayPalSender.made();
        AtomicInteger fetches = new AtomicInteger();
        CertificateFetch fetch = address -> {
            fetches.incrementAndGet();
            return CompletableFuture.completedFuture(made.chain());
        };
        Provider trusting = Providers.of("paypal", config(fetch).trusting(made.authority()));
        Provider byTheJdk = Providers.of("paypal", config(fetch));
        WebhookRequest request = signed(made, "WH-ID", CERT_URL, "{\"id\":\"WH-1\"}");

        assertThat(verify(trusting, request, Instant.now())).isInstanceOf(Verification.Verified.class);
        assertThat(verify(trusting, request, Instant.now())).isInstanceOf(Verification.Verified.class);
        assertThat(fetches).hasValue(1);
        assertThat(verify(byTheJdk, request, Instant.now())).isInstanceOf(Verification.Refused.class);
    }

    @Test
    void theAgeIsBounded() {
        assertAge(ProviderConfig.none(), Duration.ofDays(4));
        assertAge(ProviderConfig.none().with("tolerance_seconds", "259200"), Duration.ofDays(3));
    }

    private static void assertAge(ProviderConfig config, Duration max) {
        PayPalSender made = PayPalSender.made();
        Provider provider =
                Providers.of("paypal", config.with("webhook_id", "WH-ID").with("certificate", made.certificate()));
        // The certificate was made now, so a later time keeps all of these times within its validity.
        Instant sent = Instant.now().plus(Duration.ofHours(1));
        WebhookRequest request = SignedDelivery.request(made.signed(sent, "t-1", "WH-ID", CERT_URL, "{}"), "{}");

        assertThat(verify(provider, request, sent.plus(max))).isInstanceOf(Verification.Verified.class);
        assertThat(verify(provider, request, sent.plus(max).plusSeconds(1))).isEqualTo(Verification.OUT_OF_TIME);
        assertThat(verify(provider, request, sent.minusSeconds(60))).isInstanceOf(Verification.Verified.class);
        assertThat(verify(provider, request, sent.minusSeconds(61))).isEqualTo(Verification.OUT_OF_TIME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "off", "300", "259199", "-1"})
    void theMaximumAgeIsAtLeastPayPalsRetryPeriod(String seconds) {
        ProviderConfig config = ProviderConfig.none().with("tolerance_seconds", seconds);

        assertThatThrownBy(() -> Providers.of("paypal", config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("tolerance_seconds must be a number of seconds, at least 259200");
    }

    @Test
    void aTrustedCertificateOfAnotherOwnerIsRefused() {
        PayPalSender made = PayPalSender.of("attacker.example");
        Provider provider = Providers.of(
                "paypal",
                config(address -> CompletableFuture.completedFuture(made.chain()))
                        .trusting(made.authority()));

        assertThat(verify(provider, signed(made, "WH-ID", CERT_URL, "{}"), Instant.now()))
                .isEqualTo(new Verification.Refused("the certificate is not trusted"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://api.paypal.com/v1/notifications/certs/CERT-1",
                "https://api.paypal.com.attacker.example/v1/notifications/certs/CERT-1",
                "https://attacker.example/v1/notifications/certs/CERT-1",
                "https://api.paypal.com@attacker.example/v1/notifications/certs/CERT-1",
                "https://attacker@api.paypal.com/v1/notifications/certs/CERT-1",
                "https://api.paypal.com:8443/v1/notifications/certs/CERT-1",
                "https://api.paypal.com/v1/notifications/certs/../../other",
                "https://api.paypal.com/v1/oauth2/token",
                "https://api.paypal.com/v1/notifications/certs/CERT-1?x=y",
                "file:///etc/passwd",
                "not a url"
            })
    void otherUrlsAreNeverFetched(String address) {
        PayPalSender made = PayPalSender.made();
        AtomicInteger fetches = new AtomicInteger();
        Provider provider = Providers.of(
                "paypal",
                config(asked -> {
                            fetches.incrementAndGet();
                            return CompletableFuture.completedFuture(made.chain());
                        })
                        .trusting(made.authority()));

        assertThat(verify(provider, signed(made, "WH-ID", address, "{}"), Instant.now()))
                .isInstanceOf(Verification.Refused.class);
        assertThat(fetches).hasValue(0);
    }

    @Test
    void anUnavailableCertificateIsNotAForgery() {
        PayPalSender made = PayPalSender.made();
        Provider provider = Providers.of(
                "paypal", config(address -> CompletableFuture.failedFuture(new IOException("unavailable"))));
        Provider throwing = Providers.of("paypal", config(PayPalTest::thrown));

        for (Provider each : List.of(provider, throwing)) {
            assertThat(verify(each, signed(made, "WH-ID", CERT_URL, "{}"), Instant.now()))
                    .isInstanceOf(Verification.Unavailable.class);
        }
    }

    private static CompletableFuture<byte[]> thrown(URI address) {
        throw new IllegalStateException("unavailable");
    }

    private static WebhookRequest signed(PayPalSender sender, String webhookId, String certificateUrl, String body) {
        return SignedDelivery.request(sender.signed(Instant.now(), "t-1", webhookId, certificateUrl, body), body);
    }

    private static ProviderConfig config(CertificateFetch fetch) {
        return ProviderConfig.none().with("webhook_id", "WH-ID").fetchingBy(fetch);
    }
}
