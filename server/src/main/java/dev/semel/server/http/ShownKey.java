// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.function.Supplier;

/** What X-Idempotency-Key shows: a header takes visible ASCII, so for any other key something stands in. */
public final class ShownKey {
    private static final int LONGEST = 255;

    private ShownKey() {}

    public static String of(String key, Supplier<String> otherwise) {
        boolean fits = key.length() <= LONGEST && Text.isVisibleAscii(key);
        return fits ? key : otherwise.get();
    }
}
