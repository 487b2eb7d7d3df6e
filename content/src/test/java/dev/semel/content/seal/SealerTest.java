// SPDX-License-Identifier: Apache-2.0
package dev.semel.content.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import dev.semel.content.seal.SealException.Reason;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SealerTest {
    private static final Secret OLD = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret NEW = Secret.of("fedcba9876543210fedcba9876543210");
    private static final ClaimRef CLAIM = new ClaimRef("acme", new Digest(new byte[32]));
    private static final byte[] CONTENT = "the exact answer".getBytes(UTF_8);

    private final Sealer sealer = new Sealer(Secrets.of(OLD));

    @Test
    void opensWhatItSealed() {
        byte[] sealed = sealer.seal(CLAIM, "t", CONTENT);

        assertThat(sealed).hasSize(CONTENT.length + Sealer.OVERHEAD);
        assertThat(new String(sealed, UTF_8)).doesNotContain("exact");
        assertThat(sealer.open(CLAIM, "t", sealed)).isEqualTo(CONTENT);
        assertThat(sealer.open(CLAIM, "t", sealer.seal(CLAIM, "t", new byte[0])))
                .isEmpty();
    }

    /** Made by another implementation, from the description in {@link Sealer}: if this does not open any more, stored results are lost. */
    @Test
    void opensWhatEarlierVersionsSealed() {
        byte[] sealed = HexFormat.of()
                .parseHex("01f51f5474d82a0bcf000102030405060708090a0ba4fe77822f48bf737b0fab6ede7f7bb9"
                        + "11edca0546b159edd05eaf8d3270b2ee");

        assertThat(sealer.open(CLAIM, "t", sealed)).isEqualTo(CONTENT);
    }

    @Test
    void sealsTheSameDifferentlyEachTime() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            seen.add(HexFormat.of().formatHex(sealer.seal(CLAIM, "t", CONTENT), 9, 21));
        }

        assertThat(seen).hasSize(1_000);
    }

    @Test
    void noticesEveryChangedByte() {
        byte[] sealed = sealer.seal(CLAIM, "t", CONTENT);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;

            assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(CLAIM, "t", changed));
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = Arrays.copyOf(sealed, length);

            assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(CLAIM, "t", cut));
        }
    }

    @Test
    void belongsToItsClaimTenantAndType() {
        byte[] sealed = sealer.seal(CLAIM, "t", CONTENT);
        byte[] digest = new byte[32];
        digest[31] = 1;

        refused(() -> sealer.open(new ClaimRef("acme", new Digest(digest)), "t", sealed), Reason.NOT_AUTHENTIC);
        refused(() -> sealer.open(new ClaimRef("acmf", CLAIM.digest()), "t", sealed), Reason.NOT_AUTHENTIC);
        refused(() -> sealer.open(CLAIM, "u", sealed), Reason.NOT_AUTHENTIC);
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(CLAIM, "u", sealed))
                .withMessage("The sealed result of claim 0000000000000000 was changed after it was sealed,"
                        + " or was sealed for another claim");
    }

    /** Row 42 of the failure catalogue. */
    @Test
    void row42_opensByEveryLiveSecretAndSealsByTheCurrentOne() {
        Sealer rotated = new Sealer(Secrets.of(NEW, OLD));
        byte[] before = sealer.seal(CLAIM, "t", CONTENT);
        byte[] after = rotated.seal(CLAIM, "t", CONTENT);

        assertThat(rotated.open(CLAIM, "t", before)).isEqualTo(CONTENT);
        assertThat(new Sealer(Secrets.of(NEW)).open(CLAIM, "t", after)).isEqualTo(CONTENT);
        refused(() -> sealer.open(CLAIM, "t", after), Reason.UNKNOWN_SECRET);
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(CLAIM, "t", after))
                .withMessage("The secret with id %s is not among the live ones: add it back to open what it sealed"
                        .formatted(NEW.id()));
    }

    @Test
    void refusesWhatItDoesNotUnderstand() {
        byte[] newer = sealer.seal(CLAIM, "t", CONTENT);
        newer[0] = 2;

        refused(() -> sealer.open(CLAIM, "t", newer), Reason.UNREADABLE);
        refused(() -> sealer.open(CLAIM, "t", new byte[0]), Reason.UNREADABLE);
    }

    @Test
    void sealsAsMuchAsAResultMayHold() {
        byte[] most = new byte[Sealer.MAX_BYTES];

        assertThat(sealer.seal(CLAIM, "t", most)).hasSize(StoredResult.MAX_BYTES);
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.seal(CLAIM, "t", new byte[Sealer.MAX_BYTES + 1]))
                .withMessage("At most 16777179 bytes can be sealed, but these are 16777180: store a tombstone instead");
    }

    private static void refused(Runnable opening, Reason reason) {
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(opening::run)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
