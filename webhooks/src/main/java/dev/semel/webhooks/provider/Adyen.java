// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Adyen. The key is {@code ev_<account>:<pspReference>:<eventCode>:<success>}. Every item has its own signature over some of
 * its fields. A delivery with an item that is not signed is refused as a whole.
 */
final class Adyen implements Provider {
    private static final String ITEM = "NotificationRequestItem";
    private static final List<List<String>> BEFORE =
            List.of(List.of("pspReference"), List.of("originalReference"), List.of("merchantAccountCode"));
    private static final List<List<String>> AFTER = List.of(
            List.of("amount", "value"), List.of("amount", "currency"), List.of("eventCode"), List.of("success"));

    private final Signature signature;

    Adyen(ProviderConfig config) {
        SigningKeys keys = SigningKeys.of(config.secrets(), Adyen::decoded);
        signature = Signature.of(keys.isEmpty(), (request, now) -> verify(request, keys));
    }

    static byte[] decoded(String secret) {
        boolean oneCase = secret.matches("[0-9A-F]+") || secret.matches("[0-9a-f]+");
        if (!oneCase || secret.length() % 2 != 0) {
            throw new IllegalArgumentException(
                    "An HMAC key of Adyen must be written in hexadecimal, as Adyen shows it");
        }
        return HexFormat.of().parseHex(secret);
    }

    private static Verification verify(WebhookRequest request, SigningKeys keys) {
        List<Json> items = items(DeliveryJson.json(request));
        if (items.isEmpty()) {
            return Verification.MISSING;
        }
        for (Json item : items) {
            Optional<byte[]> given =
                    DeliveryJson.text(item, "additionalData", "hmacSignature").flatMap(Encoding.BASE64::decode);
            if (given.isEmpty()) {
                return Verification.MISSING;
            }
            if (isAmbiguous(item)) {
                return Verification.MALFORMED;
            }
            if (!keys.verify(Hmac.SHA256, given.get(), signed(item).getBytes(StandardCharsets.UTF_8))) {
                return Verification.WRONG;
            }
        }
        return Verification.VERIFIED;
    }

    static String signed(Json item) {
        return Stream.of(
                        fields(item, BEFORE),
                        Stream.of(DeliveryJson.text(item, "merchantReference").orElse("")),
                        fields(item, AFTER))
                .flatMap(each -> each)
                .collect(Collectors.joining(":"));
    }

    /**
     * Whether a field other than the merchant's reference contains a colon. Such an item is refused. So the end of each
     * field in the signed text is known: the reference, which may contain colons, is between the third field and the fourth
     * from the end.
     */
    private static boolean isAmbiguous(Json item) {
        return Stream.concat(fields(item, BEFORE), fields(item, AFTER)).anyMatch(field -> field.indexOf(':') >= 0);
    }

    private static Stream<String> fields(Json item, List<List<String>> paths) {
        return paths.stream()
                .map(path ->
                        DeliveryJson.at(item, path).flatMap(DeliveryJson::text).orElse(""));
    }

    private static List<Json> items(Json delivery) {
        return DeliveryJson.elements(delivery, "notificationItems").stream()
                .map(item -> DeliveryJson.at(item, ITEM).orElse(item))
                .toList();
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json delivery = DeliveryJson.json(request);
        List<Json> items = items(delivery);
        if (items.isEmpty()) {
            throw new BadDeliveryException("notificationItems is required and must be a non-empty array");
        }
        return Excerpts.ofArray(request, delivery, List.of("notificationItems"), items);
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> reference = DeliveryJson.text(event, "pspReference");
        Optional<String> code = DeliveryJson.text(event, "eventCode");
        if (reference.isEmpty() || code.isEmpty()) {
            throw DeliveryJson.withoutKey("a pspReference and an eventCode");
        }
        return EventKeys.strong("ev_"
                + ColonJoined.of(
                        DeliveryJson.text(event, "merchantAccountCode").orElse(""),
                        reference.get(),
                        code.get(),
                        DeliveryJson.text(event, "success").orElse("")));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        boolean paid = DeliveryJson.text(event, "eventCode").equals(Optional.of("AUTHORISATION"))
                && DeliveryJson.text(event, "success").equals(Optional.of("true"));
        return paid ? DeliveryJson.text(event, "pspReference").map(Payment.Confirmation::new) : Optional.empty();
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(31);
    }
}
