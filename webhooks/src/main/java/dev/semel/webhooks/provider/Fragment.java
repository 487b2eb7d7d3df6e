// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * One event of a delivery, and the bytes that a sink receives for it. If the delivery has several events, the bytes are an
 * excerpt. An excerpt is made on each call and not kept, because all excerpts together can be far larger than the delivery.
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

    /** The only event of a delivery. Its payload is the delivery's body. */
    public static Fragment whole(Json json, byte[] body) {
        Objects.requireNonNull(body, "A body must not be null");
        return new Fragment(json, () -> body.length, () -> body);
    }

    /**
     * One of several events.
     *
     * @param size calculates the size of the excerpt without making it
     * @param payload makes the excerpt: the delivery as if this were its only event
     */
    public static Fragment excerpt(Json json, IntSupplier size, Supplier<byte[]> payload) {
        return new Fragment(
                json,
                Objects.requireNonNull(size, "A size must not be null"),
                Objects.requireNonNull(payload, "A payload must not be null"));
    }

    /** The event without the rest of its delivery. A form is an object of strings. */
    public Json json() {
        return json;
    }

    /** The size of the payload in bytes. Does not make an excerpt. */
    public int size() {
        return size.getAsInt();
    }

    /**
     * The delivery's body if this is its only event, otherwise an excerpt. The array may be shared and must not be modified.
     */
    public byte[] payload() {
        return payload.get();
    }

    @Override
    public String toString() {
        return "Fragment[" + size() + " bytes]";
    }
}
