// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.BoundedText;
import dev.semel.internal.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * 128 random bits given to a record at its first claim and kept by take-overs, so that every attempt derives the same
 * child keys from it, whatever happens to the secret.
 */
public final class RecordId extends FixedBytes {
    /** How many bytes a record id has. */
    public static final int LENGTH = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    public RecordId(byte[] bytes) {
        super("A record id", bytes, LENGTH);
    }

    /** An id that no record has had before. */
    public static RecordId random() {
        byte[] bytes = new byte[LENGTH];
        RANDOM.nextBytes(bytes);
        return new RecordId(bytes);
    }

    /**
     * A key to send downstream: 43 URL-safe characters that are the same on every attempt of this record and differ
     * for every name and every record.
     */
    public String childKey(String name) {
        BoundedText.check("A child key's name", name, ClaimKey.MAX_KEY);
        byte[] derived = new HmacSha256(bytes()).of(name.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(derived);
    }

    /** Says nothing: child keys can be derived from it. */
    @Override
    public String toString() {
        return "RecordId[hidden]";
    }
}
