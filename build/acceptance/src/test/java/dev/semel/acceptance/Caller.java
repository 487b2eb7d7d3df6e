// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;

/**
 * A caller of one tenant, identified by a header in development and by a token in production.
 *
 * @param tenant the caller's tenant
 * @param identity the headers that identify the caller
 */
record Caller(Client client, String tenant, Map<String, String> identity) {

    Answer send(Ask ask) {
        return client.send(identified(ask));
    }

    /** For tests in which the server or its database may be killed during the request. */
    Answer attempt(Ask ask) throws IOException {
        return client.attempt(identified(ask));
    }

    /** Sends a request and closes the socket without reading the response, like a client that lost its network. */
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
