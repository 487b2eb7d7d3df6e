// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import java.util.Map;

/** Answers requests of the admin API, with the same JSON from a server and from a database. */
interface AdminTarget extends AutoCloseable {
    /**
     * Reads.
     *
     * @throws CommandException if the request is refused
     */
    JsonObject get(String path, Map<String, String> query);

    /**
     * Changes something, or reads with a body.
     *
     * @throws CommandException if the request is refused
     */
    JsonObject post(String path, Json body);

    @Override
    void close();
}
