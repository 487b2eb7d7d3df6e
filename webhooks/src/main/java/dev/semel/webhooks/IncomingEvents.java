// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.key.ColonJoined;
import dev.semel.payload.compare.Fingerprints;
import dev.semel.webhooks.provider.BadDeliveryException;
import dev.semel.webhooks.provider.EventKeys;
import dev.semel.webhooks.provider.EventKeys.Strength;
import dev.semel.webhooks.provider.Fragment;
import dev.semel.webhooks.provider.Payment;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.WebhookRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Turns an event as read by the provider into an {@link IncomingEvent} with the keys to claim. */
final class IncomingEvents {
    private static final int PREFIX = 16;

    private final Semel semel;
    private final String name;
    private final Provider provider;
    private final Sink sink;

    IncomingEvents(Semel semel, String name, Provider provider, Sink sink) {
        this.sink = sink;
        this.semel = semel;
        this.name = name;
        this.provider = provider;
    }

    /**
     * Reads one event of a delivery.
     *
     * @param alone whether the delivery has no other event
     * @throws BadDeliveryException if the event cannot be read or has no key
     */
    IncomingEvent of(WebhookRequest request, boolean verified, Fragment fragment, boolean alone) {
        EventKeys keys = provider.keys(request, fragment.json());
        Optional<Payment> payment = provider.payment(request, fragment.json());
        Fingerprint fingerprint = fingerprint(request, fragment);
        try {
            AliasedKey key = keyOf(request, verified, alone, keys, fingerprint);
            return new IncomingEvent(
                    name,
                    request,
                    verified,
                    fragment,
                    key,
                    keys.strength(),
                    payment.map(one -> one.key(request.tenant(), name)),
                    fingerprint,
                    prefix(keys.key(), key.key()));
        } catch (IllegalArgumentException e) {
            // The ids make no valid key. The message of our own checks contains nothing of them.
            throw new BadDeliveryException("An event's ids cannot be used as a key: " + e.getMessage());
        }
    }

    /** An event that an operator replays. It gets a new random key and no payment. */
    IncomingEvent replayed(WebhookRequest request, boolean verified, Fragment fragment, String scope) {
        ClaimKey key = new ClaimKey(request.tenant(), scope, "replay_" + UUID.randomUUID());
        return new IncomingEvent(
                name,
                request,
                verified,
                fragment,
                AliasedKey.of(key),
                Strength.STRONG,
                Optional.empty(),
                fingerprint(request, fragment),
                prefix(key.key(), key));
    }

    private AliasedKey keyOf(
            WebhookRequest request, boolean verified, boolean alone, EventKeys keys, Fingerprint fingerprint) {
        boolean weak = keys.strength() == Strength.WEAK;
        // Several events share a weak key. The content tells them apart.
        ClaimKey key = key(request, weak ? ColonJoined.of(keys.key(), fingerprint.hex()) : keys.key());
        Set<ClaimKey> aliases = new LinkedHashSet<>();
        keys.aliases().forEach(alias -> aliases.add(key(request, alias)));
        if (verified) {
            keys.signedAliases().forEach(alias -> aliases.add(key(request, alias)));
        }
        if (verified && keys.covered().isPresent()) {
            // An attacker with a captured delivery can change the key, but not the signed content. All events of a
            // delivery
            // share the signed content, so with several events the fingerprint is added.
            Fingerprint covered = keys.covered().get();
            Fingerprint backing = alone ? covered : Fingerprint.of(covered.bytes(), fingerprint.bytes());
            aliases.add(key(request, "body_" + backing.hex()));
        }
        aliases.remove(key);
        return new AliasedKey(key, List.copyOf(aliases));
    }

    private ClaimKey key(WebhookRequest request, String key) {
        return new ClaimKey(request.tenant(), ColonJoined.of("webhook", name), key);
    }

    private static Fingerprint fingerprint(WebhookRequest request, Fragment fragment) {
        return Fingerprints.of(request.tenant()).json("event", fragment.json()).fingerprint();
    }

    /**
     * A prefix that says where the key was found, then the start of the claim's digest. It finds the row without revealing
     * the key.
     */
    private String prefix(String shown, ClaimKey key) {
        int word = shown.indexOf('_') + 1;
        String text =
                shown.substring(0, Math.min(word, PREFIX / 2)) + digest(key).hex();
        return text.substring(0, PREFIX);
    }

    /** The digest of the event's claim. A recording sink makes its own claims and may use another digest. */
    private Digest digest(ClaimKey key) {
        Optional<Digest> own =
                sink instanceof RecordingSink recording ? recording.digestOf(name, key) : Optional.empty();
        return own.orElseGet(() -> semel.refOf(key).digest());
    }
}
