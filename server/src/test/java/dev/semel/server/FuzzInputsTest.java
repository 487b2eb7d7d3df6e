// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.claims.ClaimTokenTarget;
import dev.semel.server.config.SettingsFileTarget;
import dev.semel.server.http.RequestTarget;
import dev.semel.server.ledger.LedgerLinesTarget;
import dev.semel.testservers.FuzzInputs;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the seeds of the fuzz tests and inputs that once failed. */
class FuzzInputsTest {
    @TestFactory
    Stream<DynamicTest> everyInputPasses() {
        return FuzzInputs.of(
                FuzzInputsTest.class,
                Map.of(
                        "dev/semel/server/claims/ClaimTokenFuzz", ClaimTokenTarget::accept,
                        "dev/semel/server/config/SettingsFileFuzz", SettingsFileTarget::accept,
                        "dev/semel/server/http/RequestFuzz", RequestTarget::accept,
                        "dev/semel/server/ledger/LedgerLinesFuzz", LedgerLinesTarget::accept));
    }
}
