// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import com.code_intelligence.jazzer.junit.FuzzTest;

class SettingsFuzz {
    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        SettingsTarget.accept(bytes);
    }
}
