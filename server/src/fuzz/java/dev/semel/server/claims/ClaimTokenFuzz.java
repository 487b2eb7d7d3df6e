// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import com.code_intelligence.jazzer.junit.FuzzTest;

class ClaimTokenFuzz {
    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        ClaimTokenTarget.accept(bytes);
    }
}
