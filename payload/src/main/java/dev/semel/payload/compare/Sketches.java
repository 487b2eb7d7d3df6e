// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.claim.ClaimRef;
import dev.semel.internal.HmacSha256;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Creates sketches of documents, and compares later documents with them. A leaf's hash is an HMAC with a subkey of the
 * tenant, over the claim, the pointer and the value: a stored sketch reveals no values, and equal values in two claims have
 * different hashes. Pointers are stored as text, with masked phone numbers in member names, because a removed member
 * could not be named otherwise.
 */
public final class Sketches {
    private static final String PURPOSE = "sketch";

    private final Optional<Secrets> secrets;
    private final VolatileMembers leftOut;
    private final SketchLimits limits;

    private Sketches(Optional<Secrets> secrets, VolatileMembers leftOut, SketchLimits limits) {
        this.secrets = secrets;
        this.leftOut =
                Objects.requireNonNull(leftOut, "Volatile members must not be null: use VolatileMembers.NONE for none");
        this.limits = Objects.requireNonNull(limits, "A sketch's limits must not be null");
    }

    /** Sketches with the current secret, without the volatile members. They can be read with any active secret. */
    public static Sketches by(Secrets secrets, VolatileMembers leftOut, SketchLimits limits) {
        return new Sketches(Optional.of(secrets), leftOut, limits);
    }

    /** Creates no sketches and explains no differences. */
    public static Sketches off() {
        return new Sketches(Optional.empty(), VolatileMembers.NONE, SketchLimits.DEFAULT);
    }

    /** The sketch to store with the claim. It has no bytes if sketches are off. */
    public byte[] sketch(ClaimRef claim, Json json) {
        return secrets.map(live -> sketch(live.current(), claim, json).bytes()).orElseGet(() -> new byte[0]);
    }

    /** Where this document differs from the sketched document of the same claim. */
    public Difference explain(ClaimRef claim, byte[] stored, Json now) {
        return secrets.flatMap(live -> Sketch.of(stored)
                        .flatMap(sketch ->
                                live.byId(sketch.secretId()).map(secret -> compare(sketch, secret, claim, now))))
                .orElse(Difference.UNEXPLAINED);
    }

    private Sketch sketch(Secret secret, ClaimRef claim, Json json) {
        Hash hash = new Hash(secret, claim);
        TreeMap<String, Long> leaves = new TreeMap<>();
        int[] room = {limits.maxBytes() - Sketch.HEADER};
        boolean[] complete = {true};
        Leaves.visit(leftOut.leftOutOf(json), (shown, exact, value) -> {
            if (!leaves.containsKey(shown)) {
                room[0] -= Sketch.sizeOf(shown);
            }
            complete[0] = room[0] >= 0 && leaves.size() < limits.maxLeaves();
            if (complete[0]) {
                leaves.merge(shown, hash.of(exact, value), (one, two) -> one ^ two);
            }
            return complete[0];
        });
        return new Sketch(secret.id(), complete[0], leaves);
    }

    /** Hashes only leaves that are in the sketch. Other leaves are counted up to the number of changes that can be listed. */
    private Difference compare(Sketch sketch, Secret secret, ClaimRef claim, Json now) {
        Hash hash = new Hash(secret, claim);
        Map<String, Long> leaves = new TreeMap<>();
        int room = sketch.leaves().size() + limits.maxChanges();
        Leaves.visit(leftOut.leftOutOf(now), (shown, exact, value) -> {
            if (sketch.leaves().containsKey(shown)) {
                leaves.merge(shown, hash.of(exact, value), (one, two) -> one ^ two);
            } else if (sketch.complete() && leaves.size() <= room) {
                leaves.putIfAbsent(shown, 0L);
            }
            return true;
        });
        return Difference.between(sketch.leaves(), leaves, sketch.complete(), limits.maxChanges());
    }

    /** Eight bytes of an HMAC over the length-prefixed claim, pointer and value. */
    private static final class Hash {
        private final HmacSha256 hmac;
        private final byte[] digest;

        Hash(Secret secret, ClaimRef claim) {
            this.digest = claim.digest().bytes();
            this.hmac = new HmacSha256(secret.subkey(PURPOSE, claim.tenant()));
        }

        long of(String pointer, Json value) {
            byte[] name = pointer.getBytes(StandardCharsets.UTF_8);
            byte[] canonical = value.canonical();
            return ByteBuffer.wrap(hmac.of(length(digest), digest, length(name), name, length(canonical), canonical))
                    .getLong();
        }

        private static byte[] length(byte[] part) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array();
        }
    }
}
