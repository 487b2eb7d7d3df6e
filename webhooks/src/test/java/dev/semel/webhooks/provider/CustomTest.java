// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomTest extends ProviderContract {
    private static final String BODY = "{\"event\":{\"id\":\"e1\"}}";

    @Override
    List<SignedDelivery> signed() {
        Map<String, String> timed = Map.of(
                "X-Signature",
                TestSignatures.hex(Hmac.SHA256, "a-secret", "1700000000." + BODY),
                "X-Timestamp",
                "1700000000");
        Map<String, String> plain = Map.of(
                "X-Sig", "sha512=" + TestSignatures.base64(Hmac.SHA512, "a-secret", SignedDelivery.URL + "|" + BODY));
        return List.of(
                SignedDelivery.of("custom", "secrets", "a-secret", timed, BODY, 1_700_000_000)
                        .by(secrets -> Providers.of(
                                "custom",
                                ProviderConfig.secrets(secrets.get(0))
                                        .with("signature.content", "{timestamp}.{body}")
                                        .with("signature.timestamp_header", "X-Timestamp"))),
                SignedDelivery.of("custom", "secrets", "a-secret", plain, BODY, 0)
                        .by(secrets -> Providers.of(
                                "custom",
                                ProviderConfig.secrets(secrets.get(0))
                                        .with("signature.header", "X-Sig")
                                        .with("signature.prefix", "sha512=")
                                        .with("signature.algorithm", "hmac-sha512")
                                        .with("signature.encoding", "base64")
                                        .with("signature.content", "{url}|{body}"))));
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"event_id\":\"e1\"}");
    }

    @Override
    String key() {
        return "ev_e1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of();
    }

    @Override
    Provider provider() {
        return Providers.of("custom", ProviderConfig.none());
    }

    @Test
    void theSettingsSayWhereKeysAre() {
        Provider provider = Providers.of("custom", ProviderConfig.none().with("key", "/event/id", "header:X-Event-Id"));
        WebhookRequest byHeader = SignedDelivery.request(Map.of("X-Event-Id", "h1"), "{\"x\":1}");

        assertThat(provider.keys(event(), DeliveryJson.json(TestSignatures.utf8(BODY)))
                        .key())
                .isEqualTo("ev_e1");
        EventKeys header = provider.keys(byHeader, DeliveryJson.of(byHeader));
        assertThat(header.key()).isEqualTo("ev_h1");
        assertThat(header.covered()).isPresent();
    }

    @Test
    void theSettingsSayWhereItemsAre() {
        Provider provider = Providers.of("custom", ProviderConfig.none().with("items", "/events"));

        assertThat(provider.split(SignedDelivery.request(Map.of(), "{\"events\":[{\"id\":1},{\"id\":2}]}")))
                .map(part -> provider.keys(event(), part.json()).key())
                .containsExactly("ev_1", "ev_2");
        assertThatThrownBy(() -> provider.split(SignedDelivery.request(Map.of(), "{\"events\":1}")))
                .isInstanceOf(BadDeliveryException.class);
    }

    /** A header identifies the delivery. With a strong key, all of its items would be one event. */
    @Test
    void aHeaderIsAWeakKeyOfItems() {
        Provider provider = Providers.of(
                "custom", ProviderConfig.none().with("items", "/events").with("key", "/id", "header:X-Event-Id"));
        WebhookRequest request =
                SignedDelivery.request(Map.of("X-Event-Id", "h1"), "{\"events\":[{\"id\":\"e1\"},{\"x\":1}]}");

        assertThat(provider.split(request))
                .map(part -> provider.keys(request, part.json()).strength())
                .containsExactly(EventKeys.Strength.STRONG, EventKeys.Strength.WEAK);
    }

    @Test
    void byDefaultARetryWithANewSignatureIsADuplicate() {
        WebhookRequest first = SignedDelivery.request(Map.of("X-Signature", "a"), "{\"b\":1,\"a\":2}");
        WebhookRequest again = SignedDelivery.request(Map.of("X-Signature", "b"), "{\"a\":2, \"b\":1}");

        assertThat(keys(first)).isEqualTo(keys(again));
    }

    /** The value {@code seed} is the old name of {@code signature_and_payload}. */
    @ParameterizedTest
    @ValueSource(strings = {"signature_and_payload", "seed"})
    void withTheSignatureInTheFallbackARetryWithANewSignatureIsANewEvent(String fallback) {
        Provider provider = Providers.of("custom", ProviderConfig.none().with("fallback", fallback));
        WebhookRequest first = SignedDelivery.request(Map.of("X-Signature", "a"), "{\"b\":1,\"a\":2}");
        WebhookRequest again = SignedDelivery.request(Map.of("X-Signature", "b"), "{\"a\":2, \"b\":1}");

        assertThat(provider.keys(first, DeliveryJson.of(first)).key())
                .isNotEqualTo(provider.keys(again, DeliveryJson.of(again)).key());
    }

    @Test
    void anUnknownFallbackIsRefused() {
        assertThatThrownBy(() -> Providers.of("custom", ProviderConfig.none().with("fallback", "none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("fallback must be payload or signature_and_payload, but is none");
    }

    @Test
    void theSettingsSayWhichEventsConfirmAPayment() {
        Provider provider = Providers.of(
                "custom",
                ProviderConfig.none().with("payment.when", "/type=paid").with("payment.transaction", "/tx"));
        WebhookRequest any = event();

        assertThat(provider.payment(any, DeliveryJson.json(TestSignatures.utf8("{\"type\":\"paid\",\"tx\":\"t1\"}"))))
                .contains(new Payment.Confirmation("t1"));
        assertThat(provider.payment(
                        any, DeliveryJson.json(TestSignatures.utf8("{\"type\":\"refunded\",\"tx\":\"t1\"}"))))
                .isEmpty();
    }

    @Test
    void paymentsAreRequestedWithNormalisedAmountAndPhone() {
        Provider provider = Providers.of(
                "custom",
                ProviderConfig.none()
                        .with("payment.when", "/type=ask")
                        .with("payment.order", "/order")
                        .with("payment.amount", "/amount")
                        .with("payment.phone", "/phone")
                        .with("payment.region", "RW"));
        String body = "{\"type\":\"ask\",\"order\":\"o1\",\"amount\":\"1,000.00\",\"phone\":\"0788 123 456\"}";

        assertThat(provider.payment(event(), DeliveryJson.json(TestSignatures.utf8(body)))
                        .orElseThrow()
                        .key("acme", "orders")
                        .key())
                .isEqualTo("provider:orders:order:o1:amount:1000:phone:+250788123456");
        assertThatThrownBy(() -> provider.payment(
                        event(),
                        DeliveryJson.json(TestSignatures.utf8("{\"type\":\"ask\",\"order\":\"o1\",\"amount\":1}"))))
                .isInstanceOf(BadDeliveryException.class);
    }

    @ParameterizedTest
    @CsvSource({"RSA,SHA256withRSA,rsa-sha256", "EC,SHA256withECDSA,ecdsa-sha256", "Ed25519,Ed25519,ed25519"})
    void publicKeysVerifyToo(String factory, String algorithm, String setting) throws GeneralSecurityException {
        KeyPair pair = KeyPairGenerator.getInstance(factory).generateKeyPair();
        java.security.Signature signer = java.security.Signature.getInstance(algorithm);
        signer.initSign(pair.getPrivate());
        signer.update(TestSignatures.utf8(BODY));
        String signature = Encoding.HEX.encode(signer.sign());
        Provider provider = Providers.of(
                "custom",
                ProviderConfig.none()
                        .with(
                                "public_keys",
                                Base64.getEncoder()
                                        .encodeToString(pair.getPublic().getEncoded()))
                        .with("signature.algorithm", setting));

        assertThat(verify(provider, SignedDelivery.request(Map.of("X-Signature", signature), BODY), Instant.EPOCH))
                .isEqualTo(Verification.VERIFIED);
        assertThat(verify(
                        provider, SignedDelivery.request(Map.of("X-Signature", signature), BODY + " "), Instant.EPOCH))
                .isEqualTo(Verification.WRONG);
    }

    @ParameterizedTest
    @CsvSource({
        "signature.content,{timestamp}",
        "signature.content,{nothing}{body}",
        "signature.algorithm,md5",
        "signature.encoding,rot13",
        "fallback,none",
        "payment.transaction,/tx",
        "payment.order,/order",
        "tolerance_seconds,300",
        "no_such_setting,1"
    })
    void wrongSettingsAreRefusedWithTheirName(String setting, String value) {
        assertThatThrownBy(
                        () -> Providers.of("custom", ProviderConfig.secrets("s").with(setting, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        setting.substring(0, setting.indexOf('.') + 1).replace(".", ""));
    }

    /** A second valid ECDSA signature can be made from each one, and the digest would then be another event. */
    @Test
    void aFallbackWithTheSignatureIsRefusedForEcdsa() {
        ProviderConfig config = ProviderConfig.none()
                .with("fallback", "signature_and_payload")
                .with("signature.algorithm", "ecdsa-sha256");

        assertThatThrownBy(() -> Providers.of("custom", config))
                .hasMessageStartingWith("fallback must be payload with ecdsa-sha256");
    }
}
