// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a delivery from the text format of the fuzz inputs: a line with method and URL, a line for each header, an empty
 * line, and the body.
 */
final class RawDelivery {
    private RawDelivery() {}

    /** Reads a delivery. Any bytes are a valid input. */
    static WebhookRequest read(byte[] input) {
        int at = end(input, 0);
        String[] first = text(input, 0, at).split(" ", 2);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        while (at < input.length) {
            int start = at + 1;
            at = end(input, start);
            String line = text(input, start, at);
            if (line.isEmpty()) {
                break;
            }
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
        }
        byte[] body = Arrays.copyOfRange(input, Math.min(at + 1, input.length), input.length);
        return new WebhookRequest(
                first[0], first.length < 2 ? "" : first[1], DeliveryHeaders.of(headers), body, "acme");
    }

    static WebhookRequest withBody(WebhookRequest request, byte[] body) {
        return new WebhookRequest(request.method(), request.url(), request.headers(), body, request.tenant());
    }

    private static int end(byte[] input, int from) {
        int at = Math.min(from, input.length);
        while (at < input.length && input[at] != '\n') {
            at++;
        }
        return at;
    }

    /** The text without control characters, which HTTP servers refuse before a provider sees them. */
    private static String text(byte[] input, int from, int to) {
        return new String(input, Math.min(from, to), Math.max(0, to - from), StandardCharsets.ISO_8859_1)
                .replaceAll("\\p{Cntrl}", "");
    }
}
