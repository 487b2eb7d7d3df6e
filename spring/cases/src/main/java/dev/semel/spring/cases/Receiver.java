// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.spring.webhooks.WebhookHandler;
import dev.semel.webhooks.WebhookEvent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Receives webhooks and writes them as orders. */
public class Receiver {
    private final JdbcTemplate jdbc;
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Push> pushes = new CopyOnWriteArrayList<>();
    private final List<Fresh> fresh = new CopyOnWriteArrayList<>();

    Receiver(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The next so many events fail after their row was written. */
    void failNext(int events) {
        failures.set(events);
    }

    List<Push> pushes() {
        return pushes;
    }

    @WebhookHandler("stripe")
    @Transactional
    public void onStripe(WebhookEvent event) {
        Json id = Objects.requireNonNull(((JsonObject) event.json()).members().get("id"));
        jdbc.update("INSERT INTO orders (id, amount) VALUES (?, ?)", ((JsonString) id).value(), event.attempt());
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IllegalStateException("The books are closed");
        }
    }

    @WebhookHandler("github")
    public void onGitHub(Push push) {
        pushes.add(push);
    }

    /** A new bean for every event. */
    public static class Fresh {
        private final List<Fresh> handled;

        Fresh(List<Fresh> handled) {
            this.handled = handled;
        }

        @WebhookHandler("fresh")
        public void onEvent(WebhookEvent event) {
            handled.add(this);
        }
    }

    List<Fresh> fresh() {
        return fresh;
    }

    /** The part of GitHub's event that the application needs. */
    public record Push(String ref, Map<String, String> repository) {}

    /** Adds the receiver to the application. */
    @Configuration(proxyBeanMethods = false)
    public static class Config {
        @Bean
        Receiver receiver(JdbcTemplate jdbc) {
            return new Receiver(jdbc);
        }
    }

    /** A receiver in a request, which handlers do not have. */
    @Configuration(proxyBeanMethods = false)
    public static class InRequest {
        @Bean
        @Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
        SlowReceiver requestReceiver() {
            return new SlowReceiver();
        }
    }

    /** A second receiver of the same events. */
    @Configuration(proxyBeanMethods = false)
    public static class Twice extends Config {
        @Bean
        Receiver second(JdbcTemplate jdbc) {
            return new Receiver(jdbc);
        }
    }

    /** A handler with a result, which no provider would see. */
    @Configuration(proxyBeanMethods = false)
    public static class Answering {
        @WebhookHandler("stripe")
        String answer(WebhookEvent event) {
            return "processed";
        }
    }
}
