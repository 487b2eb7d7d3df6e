// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.internal.Sha256;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A row's position in the index of claims. The partition is the tenant with the first digit of the digest, so that one tenant's
 * claims are written to 16 partitions, and pointers are apart from records. Within it, rows are in the order of their time and then
 * of their digest. Neither changes while a claim lasts, so renewals and settlements do not write the index.
 */
final class DynamoListing {
    static final String PARTITION = "listed_in";
    static final String POSITION = "listed_at";

    /** The partitions of one tenant's records. There are as many for pointers. */
    static final int PARTS = 16;

    private static final int TENANT_BYTES = 16;
    private static final int POSITION_BYTES = Long.BYTES + Digest.LENGTH;

    private DynamoListing() {}

    static Map<String, AttributeValue> ofRecord(ClaimRef ref, long createdAt) {
        return at(recordsOf(ref.tenant(), partOf(ref.digest())), createdAt, ref.digest());
    }

    static Map<String, AttributeValue> ofPointer(ClaimRef ref, long createdAt) {
        return at(pointersOf(ref.tenant(), partOf(ref.digest())), createdAt, ref.digest());
    }

    private static Map<String, AttributeValue> at(AttributeValue partition, long createdAt, Digest digest) {
        return Map.of(PARTITION, partition, POSITION, bytes(position(createdAt, digest.bytes())));
    }

    /** The partitions of a tenant's records. */
    static List<AttributeValue> recordsOf(String tenant) {
        return IntStream.range(0, PARTS)
                .mapToObj(part -> recordsOf(tenant, part))
                .toList();
    }

    static AttributeValue recordsOf(String tenant, int part) {
        return partition(tenant, part);
    }

    static AttributeValue pointersOf(String tenant, int part) {
        return partition(tenant, PARTS + part);
    }

    private static AttributeValue partition(String tenant, int part) {
        byte[] hash = Sha256.of(tenant.getBytes(StandardCharsets.UTF_8));
        return bytes(ByteBuffer.allocate(TENANT_BYTES + 1)
                .put(hash, 0, TENANT_BYTES)
                .put((byte) part)
                .array());
    }

    private static int partOf(Digest digest) {
        return (digest.bytes()[0] & 0xf0) >> 4;
    }

    /** The earliest position of this moment. */
    static byte[] first(long createdAt) {
        return position(createdAt, new byte[Digest.LENGTH]);
    }

    static byte[] position(long createdAt, byte[] digest) {
        return ByteBuffer.allocate(POSITION_BYTES)
                .putLong(createdAt)
                .put(digest)
                .array();
    }

    /** The position just before this one, which must not be the first of all. */
    static byte[] before(byte[] position) {
        byte[] less = new BigInteger(1, position).subtract(BigInteger.ONE).toByteArray();
        byte[] padded = new byte[POSITION_BYTES];
        int length = Math.min(less.length, POSITION_BYTES);
        System.arraycopy(less, less.length - length, padded, POSITION_BYTES - length, length);
        return padded;
    }

    static long createdAt(byte[] position) {
        return ByteBuffer.wrap(position).getLong();
    }

    static Digest digest(byte[] position) {
        return new Digest(Arrays.copyOfRange(position, Long.BYTES, POSITION_BYTES));
    }
}
