// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.spring.Idempotent;
import dev.semel.spring.webhooks.WebhookHandler;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** A process that calls an idempotent method twice, prints both results, and ends. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class AheadOfTimeShop {
    /** The result of a call. */
    public record Receipt(String id, int number) {}

    /** An event as a webhook delivers it. */
    public record Event(String id) {}

    /** Counts its calls. */
    public static class Till {
        private final AtomicInteger calls = new AtomicInteger();

        @Idempotent(scope = "till", key = "#request.id")
        public Receipt pay(OrderRequest request) {
            return new Receipt(request.id(), calls.incrementAndGet());
        }

        @WebhookHandler("stripe")
        public void onStripe(Event event) {
            pay(OrderRequest.of(event.id(), 1));
        }
    }

    @Bean
    Till till() {
        return new Till();
    }

    /** The arguments are properties. */
    @SuppressWarnings("SystemOut") // Read by the process that started this one.
    public static void main(String... properties) {
        try (ConfigurableApplicationContext context =
                new SpringApplicationBuilder(AheadOfTimeShop.class).run(RunningShop.arguments(List.of(properties)))) {
            Till till = context.getBean(Till.class);
            System.out.println(till.pay(OrderRequest.of("a-1", 1)));
            System.out.println(till.pay(OrderRequest.of("a-1", 1)));
        }
    }
}
