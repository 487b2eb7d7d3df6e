// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The keys by which duplicates of an event are recognized.
 *
 * @param key such as {@code ev_WH-123}: a short word for where it was found, an underscore, and the id
 * @param aliases other keys of the same event
 * @param signedAliases other keys that the signature covers but that are not in the body. They count only in verified
 *     deliveries, because in others an attacker could set them to another event's key
 * @param strength whether the key alone identifies the event
 * @param covered a digest of the signed content, if the signature does not cover the key. In a verified delivery the same
 *     digest is the same event, regardless of its key
 */
public record EventKeys(
        String key,
        List<String> aliases,
        List<String> signedAliases,
        Strength strength,
        Optional<Fingerprint> covered) {
    /** The maximum number of characters of an id. */
    static final int MAX_ID = 1_024;

    /** Whether a key alone identifies an event. */
    public enum Strength {
        /** The same key is the same event, regardless of its content. */
        STRONG,
        /** Several events share the key. The same key with other content is another event. */
        WEAK
    }

    public EventKeys {
        check(key);
        aliases = List.copyOf(aliases);
        aliases.forEach(EventKeys::check);
        signedAliases = List.copyOf(signedAliases);
        signedAliases.forEach(EventKeys::check);
        Objects.requireNonNull(strength, "A strength must not be null");
        Objects.requireNonNull(covered, "The digest of the signed content must not be null: it may be empty");
    }

    /** A signed key that identifies one event. */
    public static EventKeys strong(String key) {
        return new EventKeys(key, List.of(), List.of(), Strength.STRONG, Optional.empty());
    }

    /** A signed key that several events share. */
    public static EventKeys weak(String key) {
        return new EventKeys(key, List.of(), List.of(), Strength.WEAK, Optional.empty());
    }

    /** The same keys with another alias. */
    public EventKeys alsoKnownAs(String other) {
        return new EventKeys(key, with(aliases, other), signedAliases, strength, covered);
    }

    /** The same keys with another alias, which counts only if the delivery is verified. */
    public EventKeys alsoKnownIfVerifiedAs(String other) {
        return new EventKeys(key, aliases, with(signedAliases, other), strength, covered);
    }

    private static List<String> with(List<String> names, String other) {
        List<String> more = new ArrayList<>(names);
        more.add(other);
        return more;
    }

    /**
     * The same keys, for a key that the signature does not cover. An attacker with a captured delivery can change or remove
     * such a key, so this digest of the signed content identifies the event too.
     */
    public EventKeys notSigned(Fingerprint signed) {
        return new EventKeys(key, aliases, signedAliases, strength, Optional.of(signed));
    }

    /** Omits the keys, because they are the sender's data. */
    @Override
    public String toString() {
        return "EventKeys[" + strength + ", " + (aliases.size() + signedAliases.size()) + " aliases]";
    }

    private static void check(String key) {
        if (key.length() > 3 * MAX_ID || key.codePoints().anyMatch(EventKeys::unfit)) {
            throw new BadDeliveryException(
                    "An event's id must have at most %d characters and no control characters".formatted(MAX_ID));
        }
    }

    private static boolean unfit(int c) {
        return Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
