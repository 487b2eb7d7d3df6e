// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.claim.Fingerprint;
import dev.semel.payload.compare.Fingerprints;
import dev.semel.payload.json.Json;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fingerprints of calls: what must be equal in calls with the same key. */
final class CallFingerprints {
    private final Supplier<ResultCodecs> codecs;

    CallFingerprints(Supplier<ResultCodecs> codecs) {
        this.codecs = codecs;
    }

    /** Objects count by their JSON, in which the order of members makes no difference. */
    Fingerprint of(String tenant, @Nullable Object value) {
        Fingerprints fields = Fingerprints.of(tenant);
        if (value == null) {
            return fields.text("null", "").fingerprint();
        }
        if (ArgumentExpression.isSimple(value)) {
            return fields.text("value", value.toString()).fingerprint();
        }
        return fields.json("value", json(value)).fingerprint();
    }

    @SuppressWarnings("unchecked") // A codec for Object accepts every value.
    private Json json(Object value) {
        try {
            Codec<Object> codec = (Codec<Object>) codecs.get().of(value.getClass());
            return Json.parse(codec.encode(value).bytes());
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "The fingerprint of this call, a %s, cannot be written as JSON. The method did not run"
                            .formatted(value.getClass().getName()),
                    e);
        }
    }
}
