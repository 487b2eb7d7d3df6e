// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.seal.SealException.Reason;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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

    /** Created by another implementation of the description in {@link Sealer}. If this fails, stored results are lost. */
    @Test
    void opensWhatEarlierVersionsSealed() {
        byte[] sealed = HexFormat.of()
                .parseHex("01f51f5474d82a0bcf000102030405060708090a0ba4fe77822f48bf737b0fab6ede7f7bb9"
                        + "11edca0546b159edd05eaf8d3270b2ee");

        assertThat(sealer.open(CLAIM, "t", sealed)).isEqualTo(CONTENT);
    }

    @Test
    void sealsTheSameContentForTheSameClaimToTheSameBytes() {
        byte[] sealed = sealer.seal(CLAIM, "t", CONTENT);

        assertThat(sealer.seal(CLAIM, "t", CONTENT)).isEqualTo(sealed);
        assertThat(new Sealer(Secrets.of(OLD, NEW)).seal(CLAIM, "t", CONTENT))
                .as("after a restart with an additional secret")
                .isEqualTo(sealed);
    }

    /** Ciphers are used again, also after an envelope that is not authentic, and by several threads. */
    @Test
    void sealsAndOpensManyResultsOfManyTenants() {
        IntStream.range(0, 20_000).parallel().forEach(i -> {
            ClaimRef claim = new ClaimRef("tenant " + i % 7, CLAIM.digest());
            byte[] content = ("answer " + i % 1_000).getBytes(UTF_8);
            byte[] sealed = sealer.seal(claim, "t", content);

            assertThat(sealed).isEqualTo(new Sealer(Secrets.of(OLD)).seal(claim, "t", content));
            assertThat(sealer.open(claim, "t", sealed)).isEqualTo(content);
            if (i % 10 == 0) {
                sealed[sealed.length - 1] ^= 1;
                assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(claim, "t", sealed));
            }
        });
    }

    /** Beyond the limit keys are derived for every call. */
    @Test
    void sealsForMoreTenantsThanItKeepsKeysOf() {
        for (int i = 0; i < SealingKeys.MAX_TENANTS + 10; i++) {
            ClaimRef claim = new ClaimRef("tenant " + i, CLAIM.digest());

            assertThat(sealer.open(claim, "t", sealer.seal(claim, "t", CONTENT)))
                    .isEqualTo(CONTENT);
        }
    }

    /** With one key, the same nonce for two messages would reveal content and the authentication key. */
    @Test
    void sealsNothingElseWithTheSameNonce() {
        Set<String> nonces = new HashSet<>();
        int sealed = 0;
        for (String tenant : List.of("acme", "acm")) {
            for (int digest = 0; digest < 32; digest++) {
                byte[] bytes = new byte[32];
                bytes[digest] = 1;
                ClaimRef claim = new ClaimRef(tenant, new Digest(bytes));
                for (String type : List.of("t", "tt", "t2")) {
                    for (String content : List.of("", "t", "the exact answer", "the exact answes")) {
                        nonces.add(nonce(sealer.seal(claim, type, content.getBytes(UTF_8))));
                        sealed++;
                    }
                }
            }
        }

        assertThat(nonces).hasSize(sealed);
    }

    /** The nonce depends on the boundaries between the parts. */
    @Test
    void distinguishesTypeAndContent() {
        assertThat(nonce(sealer.seal(CLAIM, "ab", "c".getBytes(UTF_8))))
                .isNotEqualTo(nonce(sealer.seal(CLAIM, "a", "bc".getBytes(UTF_8))));
    }

    private static String nonce(byte[] envelope) {
        return HexFormat.of().formatHex(envelope, 9, 21);
    }

    /** Two processes, before and after a promotion, write the same bytes with the agreed secret. */
    @Test
    void sealsWithTheNamedSecretWhileItIsActive() {
        byte[] before = sealer.seal(CLAIM, "t", CONTENT);

        assertThat(new Sealer(Secrets.of(NEW, OLD)).by(OLD.id()).seal(CLAIM, "t", CONTENT))
                .isEqualTo(before);
        assertThat(new Sealer(Secrets.of(NEW)).by(OLD.id()).seal(CLAIM, "t", CONTENT))
                .isEqualTo(new Sealer(Secrets.of(NEW)).seal(CLAIM, "t", CONTENT))
                .isNotEqualTo(before);
        byte[] after = new Sealer(Secrets.of(NEW)).seal(CLAIM, "t", CONTENT);
        assertThat(new Sealer(Secrets.of(NEW, OLD)).by(OLD.id()).open(CLAIM, "t", after))
                .as("it decrypts results of the other secrets")
                .isEqualTo(CONTENT);
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
                .withMessage(
                        "The encrypted result of claim 0000000000000000 was modified, or belongs to another claim");
    }

    /** Row 42 of docs/failures.md. */
    @Test
    void row42_opensWithEveryActiveSecretAndSealsWithTheCurrentOne() {
        Sealer rotated = new Sealer(Secrets.of(NEW, OLD));
        byte[] before = sealer.seal(CLAIM, "t", CONTENT);
        byte[] after = rotated.seal(CLAIM, "t", CONTENT);

        assertThat(rotated.open(CLAIM, "t", before)).isEqualTo(CONTENT);
        assertThat(new Sealer(Secrets.of(NEW)).open(CLAIM, "t", after)).isEqualTo(CONTENT);
        refused(() -> sealer.open(CLAIM, "t", after), Reason.UNKNOWN_SECRET);
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(CLAIM, "t", after))
                .withMessage(
                        "The secret with id %s is not active: configure it again to decrypt results that were encrypted with it"
                                .formatted(NEW.id()));
    }

    @Test
    void rejectsUnreadableEnvelopes() {
        byte[] newer = sealer.seal(CLAIM, "t", CONTENT);
        newer[0] = 2;

        refused(() -> sealer.open(CLAIM, "t", newer), Reason.UNREADABLE);
        refused(() -> sealer.open(CLAIM, "t", new byte[0]), Reason.UNREADABLE);
    }

    @Test
    void sealsUpToTheMaximumSizeOfAResult() {
        byte[] most = new byte[Sealer.MAX_BYTES];

        assertThat(sealer.seal(CLAIM, "t", most)).hasSize(StoredResult.MAX_BYTES);
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.seal(CLAIM, "t", new byte[Sealer.MAX_BYTES + 1]))
                .withMessage(
                        "At most 16777179 bytes can be encrypted, but there are 16777180: store a tombstone instead");
    }

    private static void refused(Runnable opening, Reason reason) {
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(opening::run)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
