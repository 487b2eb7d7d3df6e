// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * A log layout of one JSON object per line: {@code {"time":...,"level":...,"logger":...,"msg":...,"key":value}}. Numbers and
 * booleans of events stay numbers and booleans. Exceptions are described as in {@link OneLineLayout}.
 */
public final class JsonLayout extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("time", text(event.getInstant()));
        members.put("level", text(event.getLevel()));
        members.put("logger", text(event.getLoggerName()));
        members.put("msg", text(event.getFormattedMessage()));
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            // The members above cannot be replaced by an event.
            pairs.forEach(pair -> members.putIfAbsent(wellFormed(pair.key), value(pair.value)));
        }
        if (event.getThrowableProxy() != null) {
            members.put("exception", text(OneLineLayout.described(event.getThrowableProxy())));
        }
        return new String(new JsonObject(members).utf8(), StandardCharsets.UTF_8) + "\n";
    }

    private static Json value(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return JsonNumber.of(((Number) value).longValue());
        }
        return value instanceof Boolean flag ? new JsonBoolean(flag) : text(value);
    }

    private static JsonString text(@Nullable Object value) {
        return new JsonString(wellFormed(String.valueOf(value)));
    }

    /** Replaces lone surrogates, which JSON text cannot contain. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
