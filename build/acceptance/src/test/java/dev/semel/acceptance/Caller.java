// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;

/**
 * Somebody who asks as one tenant: by the header in development, by a token in production.
 *
 * @param tenant the tenant that the server should see
 * @param identity the headers that say so
 */
record Caller(Client client, String tenant, Map<String, String> identity) {

    Answer send(Ask ask) {
        return client.send(identified(ask));
    }

    /** For those who expect that the server, or what it needs, may die under them. */
    Answer attempt(Ask ask) throws IOException {
        return client.attempt(identified(ask));
    }

    /** Sends a request and closes the socket without reading the answer, like a client that was cut off. */
    Socket unanswered(Ask ask) throws IOException {
        return client.unanswered(identified(ask));
    }

    private Ask identified(Ask ask) {
        Ask identified = ask;
        for (Map.Entry<String, String> header : identity.entrySet()) {
            identified = identified.header(header.getKey(), header.getValue());
        }
        return identified;
    }

    Answer get(String path) {
        return send(Ask.get(path));
    }

    Answer post(String path, JsonObject body) {
        return send(Ask.post(path, body));
    }

    Answer postText(String path, String json) {
        return send(Ask.post(path).json(json));
    }
}
