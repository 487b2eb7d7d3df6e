// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import com.code_intelligence.jazzer.junit.FuzzTest;

class RequestFuzz {
    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        RequestTarget.accept(bytes);
    }
}
