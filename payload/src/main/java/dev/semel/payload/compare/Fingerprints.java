// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.claim.Fingerprint;
import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Makes a fingerprint of named fields: SHA-256 over the length-prefixed tenant and, for every field, its length-prefixed
 * name, kind and content. Where one field ends and the next begins is part of what is hashed, so no two lists of fields
 * meet; the order of the fields counts.
 *
 * <p>Plain SHA-256, and not an HMAC, on purpose. A fingerprint is compared with one that another process stored, maybe
 * a year ago, and must stay comparable while secrets are rotated; a keyed one would turn every retry during a rotation
 * into a mismatch. The price: whoever can read the table can test a guess of a <em>whole</em> request against it. The
 * tenant is hashed first, so equal requests of two tenants do not show as equal.
 */
public final class Fingerprints {
    private final List<byte[]> fields = new ArrayList<>();

    private Fingerprints(String tenant) {
        fields.add(utf8(tenant));
    }

    /** A fingerprint of this tenant's, to which fields are added. */
    public static Fingerprints of(String tenant) {
        return new Fingerprints(Objects.requireNonNull(tenant, "A tenant must not be null"));
    }

    /** Adds bytes as they are. */
    public Fingerprints field(String name, byte[] bytes) {
        return add(name, "bytes", bytes.clone());
    }

    /** Adds text, compared character by character. */
    public Fingerprints text(String name, String text) {
        return add(name, "text", utf8(text));
    }

    /** Adds a document in its canonical form: order of members, white space and spelling of numbers do not count. */
    public Fingerprints json(String name, Json json) {
        return json(name, json, VolatileMembers.NONE);
    }

    /** As {@link #json(String, Json)}, without the members that change from one delivery to the next. */
    public Fingerprints json(String name, Json json, VolatileMembers leftOut) {
        return add(name, "json", leftOut.leftOutOf(json).canonical());
    }

    /** The fingerprint of what was added so far. */
    public Fingerprint fingerprint() {
        return Fingerprint.of(fields.toArray(byte[][]::new));
    }

    private Fingerprints add(String name, String kind, byte[] content) {
        fields.add(utf8(name));
        fields.add(utf8(kind));
        fields.add(content);
        return this;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
