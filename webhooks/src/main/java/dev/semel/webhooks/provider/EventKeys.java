// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * By what an event is recognised when it comes again.
 *
 * @param key such as {@code ev_WH-123}: a short word for where it was found, an underscore, and the id
 * @param aliases other names of the same event
 * @param signedAliases other names that the signature covers and the body does not hold. They count only in verified
 *     deliveries: in others anybody could put another event's name there
 * @param strength whether the key alone says which event it is
 * @param covered a digest of what the signature covers, if the key depends on something that it does not cover. In a
 *     verified delivery the same digest is the same event, whatever its key
 */
public record EventKeys(
        String key,
        List<String> aliases,
        List<String> signedAliases,
        Strength strength,
        Optional<Fingerprint> covered) {
    /** The most characters of an id. */
    static final int MAX_ID = 1_024;

    /** What the same key with another body is. */
    public enum Strength {
        /** The same event. */
        STRONG,
        /** Another event: many events have this key. */
        WEAK
    }

    public EventKeys {
        check(key);
        aliases = List.copyOf(aliases);
        aliases.forEach(EventKeys::check);
        signedAliases = List.copyOf(signedAliases);
        signedAliases.forEach(EventKeys::check);
        Objects.requireNonNull(strength, "A strength must not be null");
        Objects.requireNonNull(covered, "What backs an unsigned key must not be null: it may be empty");
    }

    /** A key that names one event, signed. */
    public static EventKeys strong(String key) {
        return new EventKeys(key, List.of(), List.of(), Strength.STRONG, Optional.empty());
    }

    /** A key that several events share, signed. */
    public static EventKeys weak(String key) {
        return new EventKeys(key, List.of(), List.of(), Strength.WEAK, Optional.empty());
    }

    /** As this, known by another name too. */
    public EventKeys alsoKnownAs(String other) {
        return new EventKeys(key, with(aliases, other), signedAliases, strength, covered);
    }

    /** As this, known by another name too if the delivery is verified. */
    public EventKeys alsoKnownIfVerifiedAs(String other) {
        return new EventKeys(key, aliases, with(signedAliases, other), strength, covered);
    }

    private static List<String> with(List<String> names, String other) {
        List<String> more = new ArrayList<>(names);
        more.add(other);
        return more;
    }

    /**
     * As this, for a key that an attacker who holds a delivery can change or remove. It is therefore backed by what the
     * signature covers.
     */
    public EventKeys notSigned(Fingerprint signed) {
        return new EventKeys(key, aliases, signedAliases, strength, Optional.of(signed));
    }

    /** Leaves the keys out: they are other people's. */
    @Override
    public String toString() {
        return "EventKeys[" + strength + ", " + (aliases.size() + signedAliases.size()) + " aliases]";
    }

    private static void check(String key) {
        if (key.length() > 3 * MAX_ID || key.codePoints().anyMatch(EventKeys::unfit)) {
            throw new BadDeliveryException(
                    "An event's id must have at most %d characters, and no control characters".formatted(MAX_ID));
        }
    }

    private static boolean unfit(int c) {
        return Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
