// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.ClaimEvent;
import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** One process with an engine on a store, and gates on the engine. */
final class OneProcess implements AutoCloseable {
    static final Secrets SECRETS = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));

    final Semel semel;
    /** The number of calls that found an event in progress, and so wait. */
    final AtomicInteger waiting = new AtomicInteger();

    final List<WebhookNotice> notices = new CopyOnWriteArrayList<>();

    OneProcess(ClaimStore store) {
        this.semel = Semel.on(store)
                .secrets(SECRETS)
                .withoutSweep()
                .withoutReplayCache()
                .listener(event -> {
                    if (event.kind() == ClaimEvent.Kind.IN_PROGRESS) {
                        waiting.incrementAndGet();
                    }
                })
                .build();
    }

    /** A gate that accepts unverified deliveries, as in development. */
    WebhookGate open(String type, Sink sink) {
        return gate(type, ProviderConfig.none(), sink, WebhookGateBuilder::acceptingUnverified);
    }

    WebhookGate gate(String type, ProviderConfig config, Sink sink, UnaryOperator<WebhookGateBuilder> settings) {
        return gate(type, Providers.of(type, config), sink, settings);
    }

    WebhookGate gate(String name, Provider provider, Sink sink, UnaryOperator<WebhookGateBuilder> settings) {
        return settings.apply(WebhookGate.on(semel).listener(notices::add)).build(name, provider, sink);
    }

    /** The status of each event outcome, and the class of every other notice. */
    List<Object> kinds() {
        return notices.stream()
                .<Object>map(notice ->
                        notice instanceof WebhookNotice.EventOutcome outcome ? outcome.status() : notice.getClass())
                .toList();
    }

    @Override
    public void close() {
        semel.close();
    }
}
