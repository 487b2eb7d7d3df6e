// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import com.code_intelligence.jazzer.junit.FuzzTest;

class TextFuzz {
    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        TextTarget.accept(bytes);
    }
}
