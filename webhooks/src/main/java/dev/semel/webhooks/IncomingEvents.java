// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Composed;
import dev.semel.payload.same.Fingerprints;
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

/** From what a provider says about an event to what is claimed for it. */
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
            // Ids that no key can be made of; the message of our own checks holds nothing of them.
            throw new BadDeliveryException("An event's ids cannot be used: " + e.getMessage());
        }
    }

    /** An event that is processed again on purpose: a key that nothing has had before, and no payment. */
    IncomingEvent again(WebhookRequest request, boolean verified, Fragment fragment, String scope) {
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
        // Many events have a weak key: which one it is, only its content says.
        ClaimKey key = key(request, weak ? Composed.of(keys.key(), fingerprint.hex()) : keys.key());
        Set<ClaimKey> aliases = new LinkedHashSet<>();
        keys.aliases().forEach(alias -> aliases.add(key(request, alias)));
        if (verified) {
            keys.signedAliases().forEach(alias -> aliases.add(key(request, alias)));
        }
        if (verified && keys.covered().isPresent()) {
            // An attacker who holds a delivery can change its key, but not what was signed. All events of a delivery
            // share what was signed.
            Fingerprint covered = keys.covered().get();
            Fingerprint backing = alone ? covered : Fingerprint.of(covered.bytes(), fingerprint.bytes());
            aliases.add(key(request, "body_" + backing.hex()));
        }
        aliases.remove(key);
        return new AliasedKey(key, List.copyOf(aliases));
    }

    private ClaimKey key(WebhookRequest request, String key) {
        return new ClaimKey(request.tenant(), Composed.of("webhook", name), key);
    }

    private static Fingerprint fingerprint(WebhookRequest request, Fragment fragment) {
        return Fingerprints.of(request.tenant()).json("event", fragment.json()).fingerprint();
    }

    /** Where the key was found, then the claim's digest: enough to find the row by, and nothing of the key itself. */
    private String prefix(String shown, ClaimKey key) {
        int word = shown.indexOf('_') + 1;
        String text =
                shown.substring(0, Math.min(word, PREFIX / 2)) + digest(key).hex();
        return text.substring(0, PREFIX);
    }

    /** Of the row that the event's claim has: a recording sink makes claims of its own. */
    private Digest digest(ClaimKey key) {
        Optional<Digest> own =
                sink instanceof RecordingSink recording ? recording.digestOf(name, key) : Optional.empty();
        return own.orElseGet(() -> semel.refOf(key).digest());
    }
}
