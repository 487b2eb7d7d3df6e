// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a custom sender signs, such as {@code {timestamp}.{body}}. */
final class Template {
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    private final List<Part> parts = new ArrayList<>();
    private boolean timed;

    /** A piece of what is signed; nothing if the delivery does not have it. */
    private interface Part {
        Optional<byte[]> in(WebhookRequest request);
    }

    private Template() {}

    static Template of(String text, Optional<String> timestampHeader, PublicUrl url) {
        Template template = new Template();
        Matcher places = PLACE.matcher(text);
        int at = 0;
        boolean body = false;
        while (places.find()) {
            template.literal(text.substring(at, places.start()));
            String name = places.group(1);
            body |= name.equals("body");
            template.place(name, timestampHeader, url);
            at = places.end();
        }
        template.literal(text.substring(at));
        if (!body) {
            throw new IllegalArgumentException(
                    "signature.content must hold {body}: a signature that does not cover it verifies nothing");
        }
        return template;
    }

    private void literal(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        parts.add(request -> Optional.of(bytes));
    }

    private void place(String name, Optional<String> timestampHeader, PublicUrl url) {
        if (name.equals("body")) {
            parts.add(request -> Optional.of(request.body()));
        } else if (name.equals("url")) {
            parts.add(request -> Optional.of(url.of(request).getBytes(StandardCharsets.UTF_8)));
        } else if (name.equals("timestamp") && timestampHeader.isPresent()) {
            timed = true;
            header(timestampHeader.get());
        } else if (name.startsWith("header:")) {
            header(name.substring("header:".length()));
        } else {
            throw new IllegalArgumentException("signature.content may hold {body}, {url}, {header:Name} and, with a"
                    + " signature.timestamp_header, {timestamp}; but it holds {" + name + "}");
        }
    }

    private void header(String name) {
        parts.add(request -> request.headers().one(name).map(value -> value.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether a timestamp is signed. */
    boolean isTimed() {
        return timed;
    }

    /** The signed bytes; nothing if one of the headers is missing. */
    Optional<byte[]> in(WebhookRequest request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Part part : parts) {
            Optional<byte[]> piece = part.in(request);
            if (piece.isEmpty()) {
                return Optional.empty();
            }
            bytes.writeBytes(piece.get());
        }
        return Optional.of(bytes.toByteArray());
    }
}
