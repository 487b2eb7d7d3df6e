// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;

/**
 * One event of a delivery.
 *
 * @param json the event alone; a form is an object of strings
 * @param payload the delivery's own bytes if this is its only event, else the delivery as if it were; shared: do not
 *     write to them
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared: it only carries the bytes to the sink.
public record Fragment(Json json, byte[] payload) {
    @Override
    public String toString() {
        return "Fragment[" + payload.length + " bytes]";
    }
}
