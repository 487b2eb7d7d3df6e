// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import dev.semel.messaging.ConsumerGate;
import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.DeadLetterSink;
import dev.semel.messaging.Disposition;
import dev.semel.messaging.Disposition.Redeliver;
import java.util.Arrays;
import org.aopalliance.aop.Advice;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;

/**
 * Passes the records of Spring Kafka listeners through a gate.
 *
 * <pre>{@code
 * @Bean
 * ConcurrentKafkaListenerContainerFactory<String, String> orders(
 *         ConsumerFactory<String, String> consumers, ConsumerGate<ConsumerRecord<String, String>> gate) {
 *     var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
 *     factory.setConsumerFactory(consumers);
 *     return GatedListeners.install(factory, gate);
 * }
 *
 * @KafkaListener(topics = "orders", containerFactory = "orders")
 * void place(Order order) {
 *     payments.charge(order, ListenerRun.current().childKey("charge"));
 * }
 * }</pre>
 *
 * <p>Works for listeners of single records and of batches, with all acknowledgment modes.
 */
public final class GatedListeners {
    private GatedListeners() {}

    /**
     * Installs the gate around every listener of this factory, and the error handler that the gate needs.
     *
     * @return the factory
     * @throws IllegalStateException if the factory has settings with which records could be lost, or a gate already
     */
    public static <K, V, F extends AbstractKafkaListenerContainerFactory<?, K, V>> F install(
            F factory, ConsumerGate<ConsumerRecord<K, V>> gate) {
        ContainerProperties properties = factory.getContainerProperties();
        ConsumerFactory<?, ?> consumers = factory.getConsumerFactory();
        if (consumers == null) {
            throw new IllegalStateException("Set the factory's consumer factory before the gate is installed");
        }
        // Without the setting, the container sets it to false.
        if (isTrue(consumers.getConfigurationProperties().get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG))
                || isTrue(properties.getKafkaConsumerProperties().get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG))) {
            throw new IllegalStateException(
                    "enable.auto.commit must not be true: it commits offsets of records that are not processed yet. Remove it");
        }
        if (properties.getKafkaAwareTransactionManager() != null) {
            throw new IllegalStateException(
                    "A gated listener must not use Kafka transactions: after a rollback Spring skips a record"
                            + " that failed ten times. Remove the container's transaction manager");
        }
        if (properties.isAsyncAcks()) {
            throw new IllegalStateException(
                    "A gated listener must not use asyncAcks: Spring's container then waits for ever for the"
                            + " acknowledgment of a record that is redelivered. Set asyncAcks to false");
        }
        Advice[] existing = properties.getAdviceChain();
        if (Arrays.stream(existing).anyMatch(GateAdvice.class::isInstance)) {
            throw new IllegalStateException("This factory has a gate already: install one gate for each factory");
        }
        Advice[] all = Arrays.copyOf(existing, existing.length + 1);
        all[existing.length] = new GateAdvice<>(gate);
        properties.setAdviceChain(all);
        factory.setCommonErrorHandler(errorHandler(gate));
        return factory;
    }

    private static boolean isTrue(@Nullable Object setting) {
        return Boolean.parseBoolean(String.valueOf(setting));
    }

    /**
     * The error handler for gated listeners. Spring's own one skips a record after ten failures, even if another consumer is
     * processing it or the store is unavailable. This one never skips a record that the gate has not acknowledged.
     */
    @SuppressWarnings("unchecked") // A factory's records have the types of its consumers.
    public static <K, V> CommonErrorHandler errorHandler(ConsumerGate<ConsumerRecord<K, V>> gate) {
        GateBackOff backOff = new GateBackOff(gate.maxPause());
        // Called for what fails before the listener and cannot succeed later, such as a record that cannot be
        // deserialized.
        ConsumerRecordRecoverer unreadable = (record, failure) -> {
            Disposition disposition = gate.unreadable((ConsumerRecord<K, V>) record, failure);
            if (disposition instanceof Redeliver redeliver) {
                throw new RedeliverException(redeliver);
            }
        };
        DefaultErrorHandler handler = new DefaultErrorHandler(unreadable, backOff);
        handler.setRetryListeners(backOff);
        // For acknowledgment mode MANUAL_IMMEDIATE, in which nobody else acknowledges such a record.
        handler.setCommitRecovered(true);
        return handler;
    }

    /** Passes dead letters to a recoverer of Spring, for example a {@code DeadLetterPublishingRecoverer}. */
    public static <K, V> DeadLetterSink<ConsumerRecord<K, V>> deadLettersTo(ConsumerRecordRecoverer recoverer) {
        return (record, letter) -> recoverer.accept(record, exceptionOf(letter));
    }

    private static Exception exceptionOf(DeadLetter letter) {
        return letter.cause() instanceof Exception cause
                ? cause
                : new IllegalStateException(
                        "%s after %d attempts: %s".formatted(letter.reason(), letter.attempts(), letter.detail()));
    }
}
