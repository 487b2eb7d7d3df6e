// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.PublicKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.CRC32;

/**
 * PayPal. The key is {@code ev_<id>}, otherwise {@code tx_<transmission id>}; a verified delivery has both. The signature
 * is RSA over {@code transmission id|time|webhook id|CRC32 of the body}. A CRC can be forged, so the first accepted body is
 * bound to webhook id and transmission id, for longer than a delivery can be verified.
 */
final class PayPal implements Provider {
    private static final Set<String> PAID = Set.of("PAYMENT.CAPTURE.COMPLETED", "PAYMENT.SALE.COMPLETED");
    static final String ALGORITHM = "SHA256withRSA";

    private static final Duration RETRY_PERIOD = Duration.ofDays(3);
    private static final Duration USUAL_AGE = Duration.ofDays(4);
    /** A margin for clock differences between this machine and the store, and for the duration of a delivery. */
    private static final Duration MARGIN = Duration.ofDays(1);

    private final Signature signature;
    private final Duration kept;

    PayPal(ProviderConfig config) {
        Optional<String> webhook = config.one("webhook_id");
        PayPalCertificates certificates = new PayPalCertificates(config);
        Tolerance tolerance = tolerance(config);
        kept = tolerance.past().plus(tolerance.future()).plus(MARGIN);
        signature = webhook.isEmpty()
                ? Signature.NONE
                : (request, now) -> verify(request, now, webhook.get(), certificates, tolerance);
    }

    private static Tolerance tolerance(ProviderConfig config) {
        boolean enough = config.one("tolerance_seconds")
                .map(text -> text.matches("[0-9]{1,9}") && Long.parseLong(text) >= RETRY_PERIOD.toSeconds())
                .orElse(true);
        if (!enough) {
            throw new IllegalArgumentException(
                    "tolerance_seconds must be a number of seconds, at least %d: PayPal retries for three days with the first timestamp; the age check cannot be turned off, because the signature covers only a checksum of the body"
                            .formatted(RETRY_PERIOD.toSeconds()));
        }
        return config.tolerance(USUAL_AGE);
    }

    private CompletionStage<Verification> verify(
            WebhookRequest request, Instant now, String webhook, PayPalCertificates certificates, Tolerance tolerance) {
        DeliveryHeaders headers = request.headers();
        Optional<String> id = transmission(headers);
        Optional<String> time = headers.one("PAYPAL-TRANSMISSION-TIME");
        Optional<String> text = headers.one("PAYPAL-TRANSMISSION-SIG");
        if (id.isEmpty() || time.isEmpty() || text.isEmpty()) {
            return CompletableFuture.completedFuture(Verification.MISSING);
        }
        Optional<byte[]> signature = Encoding.BASE64.decode(text.get());
        boolean known =
                headers.one("PAYPAL-AUTH-ALGO").filter(ALGORITHM::equals).isPresent();
        if (signature.isEmpty() || !known) {
            return CompletableFuture.completedFuture(Verification.MALFORMED);
        }
        CRC32 crc = new CRC32();
        crc.update(request.body());
        byte[] signed = "%s|%s|%s|%d"
                .formatted(id.get(), time.get(), webhook, crc.getValue())
                .getBytes(StandardCharsets.UTF_8);
        return certificates.of(headers, now).thenApply(found -> {
            if (!(found instanceof PayPalCertificates.Found.Trusted trusted)) {
                return ((PayPalCertificates.Found.Not) found).because();
            }
            X509Certificate certificate = trusted.certificate();
            if (!PublicKeys.verifies(certificate.getPublicKey(), ALGORITHM, signature.get(), signed)) {
                return Verification.WRONG;
            }
            return inTime(time.get(), now, tolerance)
                    ? new Verification.Verified(Optional.of(
                            new Verification.Transmission(ColonJoined.of("paypal", webhook, id.get()), kept)))
                    : Verification.OUT_OF_TIME;
        });
    }

    private static boolean inTime(String time, Instant now, Tolerance tolerance) {
        try {
            return tolerance.allows(Instant.parse(time), now);
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static Optional<String> transmission(DeliveryHeaders headers) {
        return headers.oneOf("PAYPAL-TRANSMISSION-ID", "X-PAYPAL-TRANSMISSION-ID");
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("paypal-transmission-sig");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> transmission = transmission(request.headers()).map(id -> "tx_" + id);
        Optional<EventKeys> byId = DeliveryJson.text(event, "id").map(id -> EventKeys.strong("ev_" + id));
        return byId.map(keys -> transmission.map(keys::alsoKnownIfVerifiedAs).orElse(keys))
                .or(() -> transmission.map(EventKeys::strong))
                .orElseThrow(() -> DeliveryJson.withoutKey("an id, or a header PAYPAL-TRANSMISSION-ID"));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "event_type")
                .filter(PAID::contains)
                .flatMap(type -> DeliveryJson.text(event, "resource", "id"))
                .map(Payment.Confirmation::new);
    }

    /** PayPal retries up to 25 times within three days. Keys are kept for as long as a delivery can be verified. */
    @Override
    public Duration ttl() {
        return kept;
    }
}
