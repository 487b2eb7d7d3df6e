// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.key.Composed;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * WhatsApp: a delivery holds messages, {@code msg_<id>}, and statuses, {@code st_<message id>:<status>}, because all
 * statuses of a message have its id. They stand in {@code entry[].changes[].value} or at the top of the document. Anything
 * else that changed is one event, and so is a flat document.
 */
final class WhatsApp implements Provider {
    private static final List<String> KINDS = List.of("messages", "statuses");
    private static final Set<String> EVENTS = Set.copyOf(KINDS);

    private final Signature signature;
    private final Optional<String> verifyToken;
    private final Ids.Fallback fallback;

    WhatsApp(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA256, "X-Hub-Signature-256", "sha256=", Encoding.HEX);
        verifyToken = config.one("verify_token");
        fallback = Ids.Fallback.of(config, "X-Hub-Signature-256", "X-Hub-Timestamp");
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json delivery = Documents.of(request);
        List<Path> paths = new ArrayList<>();
        List<Json> entries = Documents.elements(delivery, "entry");
        for (int i = 0; i < entries.size(); i++) {
            List<Json> changes = Documents.elements(entries.get(i), "changes");
            for (int j = 0; j < changes.size(); j++) {
                addEvents(paths, changes.get(j), List.of("entry", "" + i, "changes", "" + j));
            }
        }
        addEventsAtTheTop(paths, delivery);
        if (paths.size() < 2) {
            Json only = paths.isEmpty() ? delivery : paths.get(0).event();
            return List.of(new Fragment(only, request.body()));
        }
        return paths.stream()
                .map(path -> new Fragment(path.event(), Excerpt.of(delivery, path.tokens(), EVENTS)))
                .toList();
    }

    private static void addEvents(List<Path> paths, Json change, List<String> at) {
        int before = paths.size();
        List<String> value = new ArrayList<>(at);
        value.add("value");
        for (String kind : KINDS) {
            add(paths, Documents.elements(change, "value", kind), value, kind);
        }
        if (paths.size() == before) {
            paths.add(new Path(at, change));
        }
    }

    /**
     * Only where all of them have an id: a flat document may call something else messages, and equal texts are not one
     * event. What has no id would be in no event's excerpt.
     */
    private static void addEventsAtTheTop(List<Path> paths, Json delivery) {
        boolean named = KINDS.stream()
                .flatMap(kind -> Documents.elements(delivery, kind).stream())
                .allMatch(event -> Documents.text(event, "id").isPresent());
        if (named) {
            KINDS.forEach(kind -> add(paths, Documents.elements(delivery, kind), List.of(), kind));
        }
    }

    private static void add(List<Path> paths, List<Json> events, List<String> at, String kind) {
        for (int k = 0; k < events.size(); k++) {
            List<String> tokens = new ArrayList<>(at);
            tokens.addAll(List.of(kind, "" + k));
            paths.add(new Path(tokens, events.get(k)));
        }
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> id = Documents.text(event, "id");
        Optional<String> status = Documents.text(event, "status");
        Optional<String> message =
                id.or(() -> Ids.eventId(event).isPresent() ? Optional.empty() : Ids.messageId(event));
        if (message.isPresent() && status.isPresent()) {
            return EventKeys.strong("st_" + Composed.of(message.get(), status.get()));
        }
        return id.map(text -> EventKeys.strong("msg_" + text))
                .orElseGet(() -> Ids.flatOrDigest(request, event, fallback));
    }

    @Override
    public Optional<Handshake> handshake(WebhookRequest request) {
        if (!request.method().equals("GET")) {
            return Optional.empty();
        }
        Query query = Query.of(request.url());
        boolean right = query.one("hub.mode").equals(Optional.of("subscribe"))
                && verifyToken.isPresent()
                && MessageDigest.isEqual(
                        utf8(verifyToken.get()),
                        utf8(query.one("hub.verify_token").orElse("")));
        Optional<String> challenge = query.one("hub.challenge");
        return Optional.of(right && challenge.isPresent() ? Handshake.ok(challenge.get()) : Handshake.forbidden());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(8);
    }

    private record Path(List<String> tokens, Json event) {}
}
