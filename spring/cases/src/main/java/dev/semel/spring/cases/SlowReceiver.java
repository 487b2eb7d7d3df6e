// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.spring.webhooks.WebhookHandler;
import dev.semel.webhooks.WebhookEvent;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

/** Handles webhooks until the test ends it. */
public class SlowReceiver {
    private final Handling slow = new Handling();
    private final Handling late = new Handling();

    /** The calls of one handler. */
    static final class Handling {
        private final Semaphore gate = new Semaphore(0);
        private final AtomicInteger calls = new AtomicInteger();

        private void handle() throws InterruptedException {
            calls.incrementAndGet();
            gate.acquire();
        }

        int calls() {
            return calls.get();
        }

        void end(int handlers) {
            gate.release(handlers);
        }
    }

    Handling slow() {
        return slow;
    }

    Handling late() {
        return late;
    }

    @WebhookHandler("slow")
    public void onSlow(WebhookEvent event) throws InterruptedException {
        slow.handle();
    }

    @WebhookHandler("late")
    public void onLate(WebhookEvent event) throws InterruptedException {
        late.handle();
    }

    /** Adds the receiver to the application, and one that is a new bean for every event. */
    @Configuration(proxyBeanMethods = false)
    public static class Config {
        @Bean
        SlowReceiver slowReceiver() {
            return new SlowReceiver();
        }

        @Bean
        @Scope("prototype")
        Receiver.Fresh freshReceiver(Receiver receiver) {
            return new Receiver.Fresh(receiver.fresh());
        }
    }
}
