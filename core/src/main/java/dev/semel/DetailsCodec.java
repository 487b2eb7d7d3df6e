// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;

/** How the details of rejections are stored. One codec serves the details of all types that an operation uses. */
public interface DetailsCodec {
    /** The stored form. If this throws, the rejection is stored with its code and without its details. */
    StoredResult encode(Object details) throws Exception;

    /** The details that {@link #encode} wrote. */
    <D> D decode(StoredResult stored, Class<D> type) throws Exception;

    /** Accepts text only. The JSON codecs of {@code semel-jackson2} and {@code semel-jackson3} accept any type. */
    static DetailsCodec text() {
        return TextDetails.INSTANCE;
    }

    /** The codec of {@link #text}. */
    enum TextDetails implements DetailsCodec {
        INSTANCE;

        @Override
        public StoredResult encode(Object details) {
            if (details instanceof String text) {
                return new StoredResult("text/plain", text.getBytes(StandardCharsets.UTF_8));
            }
            throw new IllegalArgumentException(
                    "The details of a rejection are a %s, but this operation stores text only: use a JSON codec, or call withDetails(...)"
                            .formatted(details.getClass().getName()));
        }

        @Override
        public <D> D decode(StoredResult stored, Class<D> type) {
            return type.cast(stored.text());
        }
    }
}
