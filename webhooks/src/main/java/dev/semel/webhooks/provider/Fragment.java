// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * One event of a delivery, and the bytes that it is handed on as. Of a delivery with several events those bytes are an
 * excerpt. An excerpt is made when it is asked for, and is not kept: all of them together can be far larger than the
 * delivery.
 */
public final class Fragment {
    private final Json json;
    private final IntSupplier size;
    private final Supplier<byte[]> payload;

    private Fragment(Json json, IntSupplier size, Supplier<byte[]> payload) {
        this.json = Objects.requireNonNull(json, "An event must not be null");
        this.size = size;
        this.payload = payload;
    }

    /** The only event of a delivery: its bytes are the delivery's own. */
    public static Fragment whole(Json json, byte[] body) {
        Objects.requireNonNull(body, "A body must not be null");
        return new Fragment(json, () -> body.length, () -> body);
    }

    /**
     * One of several events.
     *
     * @param size how many bytes the excerpt has, found without making it
     * @param payload makes the excerpt: the delivery as if this were its only event
     */
    public static Fragment excerpt(Json json, IntSupplier size, Supplier<byte[]> payload) {
        return new Fragment(
                json,
                Objects.requireNonNull(size, "A size must not be null"),
                Objects.requireNonNull(payload, "A payload must not be null"));
    }

    /** The event alone; a form is an object of strings. */
    public Json json() {
        return json;
    }

    /** How many bytes the payload has. Makes none of them. */
    public int size() {
        return size.getAsInt();
    }

    /**
     * The delivery's own bytes if this is its only event, else the delivery as if it were; perhaps shared: do not write to
     * them.
     */
    public byte[] payload() {
        return payload.get();
    }

    @Override
    public String toString() {
        return "Fragment[" + size() + " bytes]";
    }
}
