// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.nio.charset.StandardCharsets;

/** The result that every contender stores: 300 bytes, such as an answer in JSON. */
final class MeasuredResult {
    static final String TEXT = "a result of 300 bytes ".repeat(14).substring(0, 300);

    private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.UTF_8);

    private MeasuredResult() {}

    static byte[] bytes() {
        return BYTES.clone();
    }
}
