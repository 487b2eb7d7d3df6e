// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.claim.Fingerprint;
import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Creates a fingerprint of named fields: SHA-256 over the length-prefixed tenant and, for every field, its length-prefixed
 * name, kind and content. The lengths are hashed too, so different lists of fields have different input. The order of the
 * fields matters.
 *
 * <p>The hash is deliberately SHA-256 without a key and not an HMAC. A fingerprint is compared with one that another process
 * stored, maybe a year ago, and must stay comparable while secrets are rotated. With a key, every retry during a rotation
 * would be a mismatch. The disadvantage: an attacker who can read the table can test a guess of a <em>whole</em> request
 * against it. The tenant is hashed first, so equal requests of two tenants have different fingerprints.
 */
public final class Fingerprints {
    private final List<byte[]> fields = new ArrayList<>();

    private Fingerprints(String tenant) {
        fields.add(utf8(tenant));
    }

    /** Starts a fingerprint for a tenant. */
    public static Fingerprints of(String tenant) {
        return new Fingerprints(Objects.requireNonNull(tenant, "A tenant must not be null"));
    }

    /** Adds bytes. */
    public Fingerprints field(String name, byte[] bytes) {
        return add(name, "bytes", bytes.clone());
    }

    /** Adds text. */
    public Fingerprints text(String name, String text) {
        return add(name, "text", utf8(text));
    }

    /** Adds a document in its canonical form: the order of members, white space and the notation of numbers do not matter. */
    public Fingerprints json(String name, Json json) {
        return json(name, json, VolatileMembers.NONE);
    }

    /** As {@link #json(String, Json)}, without the volatile members. */
    public Fingerprints json(String name, Json json, VolatileMembers leftOut) {
        return add(name, "json", leftOut.leftOutOf(json).canonical());
    }

    /** The fingerprint of the fields added so far. */
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
