// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.SerializationUtils;

/**
 * Finds the exception that an {@code ErrorHandlingDeserializer} left in a record instead of a key or a value. The container
 * does so for single records only. In a batch such a record would look like one without a value.
 */
final class DeserializationFailures {
    private static final LogAccessor LOG = new LogAccessor(DeserializationFailures.class);

    private DeserializationFailures() {}

    static @Nullable DeserializationException of(ConsumerRecord<?, ?> record) {
        DeserializationException ofKey = SerializationUtils.getExceptionFromHeader(
                record, SerializationUtils.KEY_DESERIALIZER_EXCEPTION_HEADER, LOG);
        return ofKey != null
                ? ofKey
                : SerializationUtils.getExceptionFromHeader(
                        record, SerializationUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER, LOG);
    }
}
