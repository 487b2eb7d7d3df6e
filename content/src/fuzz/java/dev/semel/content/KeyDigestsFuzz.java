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
        Optional<ClaimKey> one = key(data);
        // Often the same text, cut at other places: that is where keys could meet.
        Optional<ClaimKey> two = data.consumeBoolean() ? one.flatMap(key -> cutElsewhere(key, data)) : key(data);
        if (one.isEmpty() || two.isEmpty()) {
            return;
        }
        for (Mode mode : Mode.values()) {
            ClaimRef first = DIGESTS.refOf(mode, one.get());
            ClaimRef second = DIGESTS.refOf(mode, two.get());
            assertThat(first.digest().equals(second.digest()))
                    .isEqualTo(one.get().equals(two.get()));
        }
        assertThat(DIGESTS.refOf(Mode.LEASED, one.get())).isNotEqualTo(DIGESTS.refOf(Mode.TRANSACTIONAL, one.get()));
    }

    private static Optional<ClaimKey> key(FuzzedDataProvider data) {
        return key(data.consumeString(300), data.consumeString(1_100), data.consumeString(4_200));
    }

    private static Optional<ClaimKey> cutElsewhere(ClaimKey key, FuzzedDataProvider data) {
        String all = key.tenant() + key.scope() + key.key();
        int first = data.consumeInt(0, all.length());
        int second = data.consumeInt(first, all.length());
        return key(all.substring(0, first), all.substring(first, second), all.substring(second));
    }

    private static Optional<ClaimKey> key(String tenant, String scope, String key) {
        try {
            return Optional.of(new ClaimKey(tenant, scope, key));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
