// SPDX-License-Identifier: Apache-2.0
package dev.semel.content;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.key.KeyDigests;
import dev.semel.key.Mode;
import dev.semel.key.Secret;
import java.util.Optional;

/** Two keys have one digest exactly if they are equal; what is no key is refused, and nothing else happens. */
class KeyDigestsFuzz {
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("0123456789abcdef0123456789abcdef"));

    @FuzzTest(maxDuration = "1m")
    void anyTwoKeys(FuzzedDataProvider data) {
        // Often the same text, cut at other places: that is where keys could meet.
        boolean sameText = data.consumeBoolean();
        int[] cuts = {
            data.consumeInt(0, 300), data.consumeInt(0, 1_100), data.consumeInt(0, 300), data.consumeInt(0, 1_100)
        };
        String text = text(data, data.remainingBytes() / (sameText ? 1 : 2));
        Optional<ClaimKey> one = cut(text, cuts[0], cuts[1]);
        Optional<ClaimKey> two = cut(sameText ? text : text(data, data.remainingBytes()), cuts[2], cuts[3]);
        if (one.isPresent() && two.isPresent()) {
            compare(one.get(), two.get());
        }
    }

    private static void compare(ClaimKey one, ClaimKey two) {
        for (Mode mode : Mode.values()) {
            ClaimRef first = DIGESTS.refOf(mode, one);
            ClaimRef second = DIGESTS.refOf(mode, two);
            assertThat(first.digest().equals(second.digest())).isEqualTo(one.equals(two));
        }
        assertThat(DIGESTS.refOf(Mode.LEASED, one)).isNotEqualTo(DIGESTS.refOf(Mode.TRANSACTIONAL, one));
    }

    /** Mostly printable, or hardly any of it would be a key; the rest is there to be refused. */
    private static String text(FuzzedDataProvider data, int bytes) {
        if (data.consumeInt(0, 9) == 0) {
            return data.consumeString(bytes);
        }
        StringBuilder text = new StringBuilder();
        for (byte b : data.consumeBytes(bytes)) {
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
