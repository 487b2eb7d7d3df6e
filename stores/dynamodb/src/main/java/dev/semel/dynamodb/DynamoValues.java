// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Makes and reads the values of attributes. */
final class DynamoValues {
    private DynamoValues() {}

    static AttributeValue number(long value) {
        return AttributeValue.builder().n(Long.toString(value)).build();
    }

    static AttributeValue text(String value) {
        return AttributeValue.builder().s(value).build();
    }

    static AttributeValue bytes(byte[] value) {
        return AttributeValue.builder().b(SdkBytes.fromByteArray(value)).build();
    }

    static long number(Map<String, AttributeValue> item, String name) {
        Long value = numberOrNull(item, name);
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    static @Nullable Long numberOrNull(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.n() == null ? null : Long.valueOf(value.n());
    }

    static String text(Map<String, AttributeValue> item, String name) {
        String value = textOrNull(item, name);
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    static @Nullable String textOrNull(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null ? null : value.s();
    }

    static byte[] bytes(Map<String, AttributeValue> item, String name) {
        byte[] value = bytesOrNull(item, name);
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    static byte @Nullable [] bytesOrNull(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.b() == null ? null : value.b().asByteArray();
    }

    /** @param micros microseconds since 1970 */
    static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static IllegalStateException missing(String name) {
        return new IllegalStateException("An item of the claims table has no attribute " + name);
    }
}
