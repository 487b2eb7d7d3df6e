// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.function.Supplier;

/** What X-Idempotency-Key shows: a header takes visible ASCII, so for any other key something stands in. */
public final class KeyHeader {
    private static final int LONGEST = 255;

    private KeyHeader() {}

    public static String of(String key, Supplier<String> otherwise) {
        boolean fits = key.length() <= LONGEST && TextChecks.isVisibleAscii(key);
        return fits ? key : otherwise.get();
    }
}
