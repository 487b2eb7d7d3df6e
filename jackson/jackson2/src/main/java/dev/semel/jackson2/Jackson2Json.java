// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson2;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import dev.semel.claim.StoredResult;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes and reads stored JSON of one type. No message contains a value. */
final class Jackson2Json {
    static final String TYPE = "application/json";

    private static final Logger LOG = LoggerFactory.getLogger(JacksonCodec.class);
    private static final int MAX_CAUSE = 500;

    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final String type;

    Jackson2Json(ObjectWriter writer, ObjectReader reader, String type) {
        this.writer = writer;
        this.reader = reader;
        this.type = type;
    }

    /** The stored form, or a tombstone with the cause. */
    StoredResult write(@Nullable Object value) {
        try {
            byte[] bytes = writer.writeValueAsBytes(value);
            return bytes.length <= StoredResult.MAX_BYTES
                    ? new StoredResult(TYPE, bytes)
                    : notKept("it has %d bytes, and the maximum is %d".formatted(bytes.length, StoredResult.MAX_BYTES));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return notKept(causeOf(e));
        }
    }

    private StoredResult notKept(String cause) {
        LOG.warn("A result of type {} cannot be stored as JSON: {}. Duplicates will not receive it.", type, cause);
        return StoredResult.tombstone("a result of type %s cannot be stored as JSON: %s".formatted(type, cause));
    }

    /** The value that {@link #write} stored. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // The reader knows the type.
    <V> V read(StoredResult stored) throws IOException {
        if (!stored.type().equals(TYPE)) {
            throw unreadable("it was stored as " + stored.type()
                    + " by another codec. Keep that codec, or give the operation a new scope.");
        }
        try {
            return reader.readValue(stored.bytes());
        } catch (IOException | RuntimeException e) {
            throw unreadable(causeOf(e));
        }
    }

    private IOException unreadable(String cause) {
        LOG.warn("A stored result cannot be read as {}: {}", type, cause);
        return new IOException("A stored result cannot be read as %s: %s".formatted(type, cause));
    }

    /** The messages of the two known exceptions describe classes and sizes. Other messages can quote the value. */
    private static String causeOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root.getClass().getName();
        if (root instanceof InvalidDefinitionException definition) {
            text = definition.getOriginalMessage();
        } else if (root instanceof StreamConstraintsException limit) {
            text = limit.getOriginalMessage();
        }
        return text.length() > MAX_CAUSE ? text.substring(0, MAX_CAUSE) : text;
    }
}
