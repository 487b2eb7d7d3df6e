// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads text, but fails for one value. */
public final class FailingDeserializer implements Deserializer<String> {
    @Override
    public String deserialize(String topic, byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        if (text.contains("broken")) {
            throw new IllegalArgumentException("broken");
        }
        return text;
    }
}
