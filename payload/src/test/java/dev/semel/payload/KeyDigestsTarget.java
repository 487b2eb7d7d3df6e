// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Two keys have the same digest if and only if they are equal. An invalid key is rejected without other effects.
 *
 * <p>An input begins with a byte of flags and four offsets of two bytes each, at which the following text is split.
 */
final class KeyDigestsTarget {
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("0123456789abcdef0123456789abcdef"));
    private static final int TWO_TEXTS = 1;
    private static final int UTF8 = 2;

    private KeyDigestsTarget() {}

    static void accept(byte[] input) {
        if (input.length < 9) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(input);
        int flags = bytes.get();
        int[] cuts = {bytes.getChar() % 300, bytes.getChar() % 1_100, bytes.getChar() % 300, bytes.getChar() % 1_100};
        String text = text(flags, bytes);
        // Often the same text, split at other offsets: such keys could get the same digest.
        int middle = (flags & TWO_TEXTS) == 0 ? 0 : text.length() / 2;
        Optional<ClaimKey> one = cut(text.substring(0, middle == 0 ? text.length() : middle), cuts[0], cuts[1]);
        Optional<ClaimKey> two = cut(text.substring(middle), cuts[2], cuts[3]);
        if (one.isPresent() && two.isPresent()) {
            compare(one.get(), two.get());
        }
    }

    private static void compare(ClaimKey one, ClaimKey two) {
        for (ClaimMode mode : ClaimMode.values()) {
            ClaimRef first = DIGESTS.refOf(mode, one);
            ClaimRef second = DIGESTS.refOf(mode, two);
            assertThat(first.digest().equals(second.digest())).isEqualTo(one.equals(two));
        }
        assertThat(DIGESTS.refOf(ClaimMode.LEASED, one)).isNotEqualTo(DIGESTS.refOf(ClaimMode.TRANSACTIONAL, one));
    }

    /** Mostly printable characters, because other text is rarely a valid key. */
    private static String text(int flags, ByteBuffer bytes) {
        if ((flags & UTF8) != 0) {
            return StandardCharsets.UTF_8.decode(bytes).toString();
        }
        StringBuilder text = new StringBuilder();
        while (bytes.hasRemaining()) {
            byte b = bytes.get();
            text.append((char) (b < ' ' ? 0x100 + (b & 0xff) : b));
        }
        return text.toString();
    }

    private static Optional<ClaimKey> cut(String text, int first, int second) {
        int tenant = Math.min(first, text.length());
        int scope = Math.min(tenant + second, text.length());
        try {
            return Optional.of(
                    new ClaimKey(text.substring(0, tenant), text.substring(tenant, scope), text.substring(scope)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
