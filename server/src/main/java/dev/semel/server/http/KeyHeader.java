// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.function.Supplier;

/** The value of the X-Idempotency-Key response header. A key that is not visible ASCII, or is too long, is replaced. */
public final class KeyHeader {
    private static final int LONGEST = 255;

    private KeyHeader() {}

    public static String of(String key, Supplier<String> otherwise) {
        boolean fits = key.length() <= LONGEST && TextChecks.isVisibleAscii(key);
        return fits ? key : otherwise.get();
    }
}
