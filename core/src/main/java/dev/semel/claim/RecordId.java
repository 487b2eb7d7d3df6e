// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.BoundedText;
import dev.semel.internal.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * 128 random bits that identify a record. They are set by the first claim and kept by take-overs, so that every attempt
 * derives the same child keys, even after the secret has changed.
 */
public final class RecordId extends FixedBytes {
    /** The number of bytes. */
    public static final int LENGTH = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    public RecordId(byte[] bytes) {
        super("A record id", bytes, LENGTH);
    }

    /** A fresh id. */
    public static RecordId random() {
        byte[] bytes = new byte[LENGTH];
        RANDOM.nextBytes(bytes);
        return new RecordId(bytes);
    }

    /**
     * A key for a downstream call: 43 URL-safe characters, the same on every attempt of this record, and different for every
     * name and every record.
     */
    public String childKey(String name) {
        BoundedText.check("A child key's name", name, ClaimKey.MAX_KEY);
        byte[] derived = new HmacSha256(bytes()).of(name.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(derived);
    }

    /** Omits the bytes, because child keys can be derived from them. */
    @Override
    public String toString() {
        return "RecordId[hidden]";
    }
}
