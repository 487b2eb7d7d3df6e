// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.kafka.RecordKeys;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import dev.semel.testbroker.KafkaTopic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** Listeners as applications write them. */
class AnnotatedListenerTest {
    @Configuration
    @EnableKafka
    static class Application {
        final List<String> placed = new CopyOnWriteArrayList<>();
        final List<String> mailed = new CopyOnWriteArrayList<>();

        @Bean(destroyMethod = "close")
        Semel semel() {
            return Semel.on(new MemoryClaimStore())
                    .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
                    .build();
        }

        private static ConcurrentKafkaListenerContainerFactory<String, String> gated(
                KafkaTopic topic, Semel semel, String scope) {
            ConsumerGate<ConsumerRecord<String, String>> gate = ConsumerGate.<ConsumerRecord<String, String>>on(
                            semel, scope)
                    .key(RecordKeys.header(KafkaTopic.ID))
                    .pauses(Duration.ofMillis(10), Duration.ofMillis(50))
                    .deadLetters((record, letter) -> {
                        throw new IllegalStateException("No message of this test is given up");
                    })
                    .build();
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(topic.settings()));
            return GatedListeners.install(factory, gate);
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> orders(KafkaTopic topic, Semel semel) {
            return gated(topic, semel, "orders.place");
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> mails(KafkaTopic topic, Semel semel) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory = gated(topic, semel, "orders.mail");
            factory.setBatchListener(true);
            return factory;
        }

        @KafkaListener(topics = "#{@topic.name()}", groupId = "#{@topic.group()}", containerFactory = "orders")
        void place(String order) {
            placed.add(order);
            if (placed.size() == 1) {
                throw new IllegalStateException("the first attempt fails");
            }
        }

        @KafkaListener(topics = "#{@topic.name()}", groupId = "mail", containerFactory = "mails")
        void mail(List<String> orders) {
            mailed.addAll(orders);
        }
    }

    @Test
    void methodsReceiveEachMessageOnceAndAFailedOneAgain() {
        try (KafkaTopic topic = new KafkaTopic(1);
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            List.of("a", "b", "a", "c").forEach(id -> topic.send(0, id));
            context.registerBean("topic", KafkaTopic.class, () -> topic);
            context.register(Application.class);
            context.refresh();
            Application application = context.getBean(Application.class);

            await().atMost(Duration.ofSeconds(60)).until(topic::isConsumed);
            await().atMost(Duration.ofSeconds(60)).until(() -> application.mailed.size() == 3);

            assertThat(application.placed).containsExactly("order a", "order a", "order b", "order c");
            assertThat(application.mailed).containsExactly("order a", "order b", "order c");
        }
    }
}
