// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Semel;
import dev.semel.kafka.RecordKeys;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.transaction.KafkaTransactionManager;

/** Factories and listeners with which the gate could not keep its guarantees. */
class RefusedListenersTest {
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
            .build();
    private final List<String> handled = new ArrayList<>();
    private final ConsumerGate<ConsumerRecord<String, String>> gate = ConsumerGate.<ConsumerRecord<String, String>>on(
                    semel, "orders.place")
            .key(RecordKeys.position())
            .deadLetters((record, letter) -> handled.add("letter"))
            .build();

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void settingsThatWouldLoseRecordsAreRefused() {
        ConcurrentKafkaListenerContainerFactory<String, String> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        assertThatThrownBy(() -> GatedListeners.install(factory, gate)).hasMessageContaining("consumer factory");

        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of("enable.auto.commit", true)));
        assertThatThrownBy(() -> GatedListeners.install(factory, gate)).hasMessageContaining("enable.auto.commit");

        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
        factory.getContainerProperties().setAsyncAcks(true);
        assertThatThrownBy(() -> GatedListeners.install(factory, gate)).hasMessageContaining("asyncAcks");

        factory.getContainerProperties().setAsyncAcks(false);
        DefaultKafkaProducerFactory<String, String> producers = new DefaultKafkaProducerFactory<>(Map.of());
        producers.setTransactionIdPrefix("orders-");
        factory.getContainerProperties().setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
        assertThatThrownBy(() -> GatedListeners.install(factory, gate)).hasMessageContaining("Kafka transactions");
    }

    /** The inner gate would find each record in progress, and all records would go to the sink. */
    @Test
    void aSecondGateIsRefused() {
        ConcurrentKafkaListenerContainerFactory<String, String> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
        GatedListeners.install(factory, gate);

        assertThatThrownBy(() -> GatedListeners.install(factory, gate))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already");
    }

    /** As the container calls it, without a broker. */
    @SuppressWarnings("unchecked")
    private <T> T advised(T listener) {
        ContainerProperties properties = new ContainerProperties("orders");
        properties.setAdviceChain(new GateAdvice<>(gate));
        properties.setMessageListener(listener);
        return (T) properties.getMessageListener();
    }

    private abstract static class AsyncListener implements MessageListener<String, String>, AsyncRepliesAware {}

    @Test
    void listenersWhoseEndIsUnknownAreRefused() {
        MessageListener<String, String> listener = new AsyncListener() {
            @Override
            public void onMessage(ConsumerRecord<String, String> record) {
                handled.add(record.value());
            }

            @Override
            public boolean isAsyncReplies() {
                return true;
            }
        };
        MessageListener<String, String> async = advised(listener);
        MessageListener<String, String> filtered = advised(
                (MessageListener<String, String>) new FilteringMessageListenerAdapter<>(listener, none -> false));
        BatchMessageListener<String, String> batch =
                advised((BatchMessageListener<String, String>) records -> handled.add("batch"));

        assertThatThrownBy(() -> async.onMessage(new ConsumerRecord<>("orders", 0, 0, null, "a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("future");
        assertThatThrownBy(() -> filtered.onMessage(new ConsumerRecord<>("orders", 0, 0, null, "a"), null, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("future");
        assertThatThrownBy(() -> batch.onMessage(ConsumerRecords.empty(), null, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("list");
        assertThat(handled).isEmpty();
    }
}
