// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static dev.semel.redis.Samples.SECRET;
import static dev.semel.redis.Samples.entry;
import static dev.semel.redis.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secret;
import dev.semel.replay.ReplayCache;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SealedEntriesTest {
    private static final ReplayCache.Key KEY = key(1, "acme", 7);

    private final SealedEntries entries = new SealedEntries(SECRET, "semel:");

    static Stream<ReplayCache.Entry> kinds() {
        return Stream.of(
                entry("paid"),
                entry(0),
                entry(100_000),
                new ReplayCache.Entry(Status.SUCCEEDED, Fingerprint.NONE, null),
                new ReplayCache.Entry(Status.FAILED, Fingerprint.of("x"), StoredResult.tombstone("too large")),
                new ReplayCache.Entry(
                        Status.FAILED,
                        Fingerprint.of("x"),
                        new StoredResult("t".repeat(StoredResult.MAX_TYPE), new byte[] {-1})));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void opensWhatItSealed(ReplayCache.Entry entry) {
        byte[] sealed = entries.seal(KEY, entry, 1234);

        assertThat(entries.open(KEY, sealed)).contains(new SealedEntries.Opened(entry, 1234));
        assertThat(sealed)
                .hasSizeLessThanOrEqualTo(SealedEntries.sealedSize(
                        entry.result() == null ? 0 : entry.result().size()));
    }

    @Test
    void doesNotOpenForAnotherClaimTenantOrEpoch() {
        byte[] sealed = entries.seal(KEY, entry("paid"), 1);

        assertThat(entries.open(key(2, "acme", 7), sealed)).isEmpty();
        assertThat(entries.open(key(1, "other", 7), sealed)).isEmpty();
        assertThat(entries.open(key(1, "acme", 8), sealed)).isEmpty();
        assertThat(entries.open(KEY, sealed)).isPresent();
    }

    @Test
    void doesNotOpenWithAnotherSecret() {
        byte[] sealed = entries.seal(KEY, entry("paid"), 1);
        Secret another = Secret.of("another secret of thirty-two bytes");

        assertThat(new SealedEntries(another, "semel:").open(KEY, sealed)).isEmpty();
    }

    @Test
    void doesNotOpenWithAnyBitChanged() {
        byte[] sealed = entries.seal(KEY, entry("paid"), 1);
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] forged = sealed.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);

            assertThat(entries.open(KEY, forged)).as("bit %d", bit).isEmpty();
        }
    }

    @Test
    void doesNotOpenShortenedOrLengthened() {
        byte[] sealed = entries.seal(KEY, entry("paid"), 1);
        for (int length = 0; length < sealed.length; length++) {
            assertThat(entries.open(KEY, Arrays.copyOf(sealed, length)))
                    .as("%d bytes", length)
                    .isEmpty();
        }
        assertThat(entries.open(KEY, Arrays.copyOf(sealed, sealed.length + 1))).isEmpty();
        assertThat(entries.open(KEY, null)).isEmpty();
    }

    @Test
    void keysDistinguishClaimsAndRevealNothingElse() {
        String name = name(KEY);

        assertThat(name).startsWith("semel:").hasSize("semel:".length() + 43).isEqualTo(name(KEY));
        assertThat(Stream.of(key(2, "acme", 7), key(1, "other", 7), key(1, "acme", 8))
                        .map(this::name))
                .doesNotHaveDuplicates()
                .doesNotContain(name);
        assertThat(name)
                .doesNotContain("acme")
                .doesNotContain(KEY.ref().digest().toString());
    }

    @Test
    void theSameEntryIsNeverEncryptedToTheSameBytes() {
        assertThat(entries.seal(KEY, entry("paid"), 1)).isNotEqualTo(entries.seal(KEY, entry("paid"), 1));
    }

    private String name(ReplayCache.Key key) {
        return new String(entries.name(key), StandardCharsets.US_ASCII);
    }
}
