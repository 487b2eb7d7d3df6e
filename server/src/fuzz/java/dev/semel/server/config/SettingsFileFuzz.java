// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import com.code_intelligence.jazzer.junit.FuzzTest;

class SettingsFileFuzz {
    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        SettingsFileTarget.accept(bytes);
    }
}
