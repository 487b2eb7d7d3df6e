// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The template of what a custom sender signs, such as {@code {timestamp}.{body}}. */
final class SignedContent {
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    private final List<Part> parts = new ArrayList<>();
    private final Set<String> headers = new HashSet<>();
    private boolean timed;
    private boolean ambiguous;

    /** A part of the signed content. Empty if the delivery does not have it. */
    private record Part(boolean time, Function<WebhookRequest, Optional<byte[]>> in) {}

    private SignedContent() {}

    static SignedContent of(String text, Optional<String> timestampHeader, PublicUrl url) {
        SignedContent template = new SignedContent();
        Matcher places = PLACE.matcher(text);
        int at = 0;
        boolean body = false;
        while (places.find()) {
            template.literal(text.substring(at, places.start()));
            template.ambiguous |= at > 0 && at == places.start();
            String name = places.group(1);
            body |= name.equals("body");
            template.place(name, timestampHeader, url);
            at = places.end();
        }
        template.literal(text.substring(at));
        if (!body) {
            throw new IllegalArgumentException(
                    "signature.content must contain {body}: a signature that does not cover the body verifies nothing");
        }
        return template;
    }

    private void literal(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        parts.add(new Part(false, request -> Optional.of(bytes)));
    }

    private void place(String name, Optional<String> timestampHeader, PublicUrl url) {
        if (name.equals("body")) {
            parts.add(new Part(false, request -> Optional.of(request.body())));
        } else if (name.equals("url")) {
            ambiguous = true;
            parts.add(new Part(false, request -> Optional.of(url.of(request).getBytes(StandardCharsets.UTF_8))));
        } else if (name.equals("timestamp") && timestampHeader.isPresent()) {
            timed = true;
            header(timestampHeader.get(), true);
        } else if (name.startsWith("header:")) {
            ambiguous = true;
            header(name.substring("header:".length()), false);
        } else {
            throw new IllegalArgumentException("signature.content may contain {body}, {url}, {header:Name} and, with"
                    + " signature.timestamp_header, {timestamp}, but it contains {" + name + "}");
        }
    }

    private void header(String name, boolean time) {
        headers.add(name.toLowerCase(Locale.ROOT));
        parts.add(new Part(
                time, request -> request.headers().one(name).map(value -> value.getBytes(StandardCharsets.UTF_8))));
    }

    /** Whether this header is signed. */
    boolean covers(String header) {
        return headers.contains(header.toLowerCase(Locale.ROOT));
    }

    /** The names of the signed headers, in lower case. */
    Set<String> headers() {
        return headers;
    }

    /**
     * Whether the same signed text could consist of other parts. A timestamp has only digits, so its end is known unless
     * the next part follows without a separator.
     */
    boolean isAmbiguous() {
        return ambiguous;
    }

    /** Whether the signed content includes a timestamp. */
    boolean isTimed() {
        return timed;
    }

    /** The signed bytes of a delivery. Empty if one of the headers is missing. */
    Optional<byte[]> in(WebhookRequest request) {
        return in(request, true);
    }

    /**
     * A digest of the signed bytes, which identifies the event.
     *
     * @param times whether to include the timestamp; without it, a retry with a new signature has the same digest
     */
    Fingerprint digest(WebhookRequest request, boolean times) {
        return request.cached(
                List.of(this, times),
                Fingerprint.class,
                () -> in(request, times).map(Fingerprint::of).orElseGet(() -> request.digest("")));
    }

    private Optional<byte[]> in(WebhookRequest request, boolean times) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Part part : parts) {
            if (part.time() && !times) {
                continue;
            }
            Optional<byte[]> piece = part.in().apply(request);
            if (piece.isEmpty()) {
                return Optional.empty();
            }
            bytes.writeBytes(piece.get());
        }
        return Optional.of(bytes.toByteArray());
    }
}
