// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import com.code_intelligence.jazzer.junit.FuzzTest;

class LedgerLinesFuzz {
    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        LedgerLinesTarget.accept(bytes);
    }
}
