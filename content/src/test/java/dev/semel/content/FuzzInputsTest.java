// SPDX-License-Identifier: Apache-2.0
package dev.semel.content;

import dev.semel.testservers.FuzzInputs;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Seeds of the fuzz tests, and what they once found. */
class FuzzInputsTest {
    @TestFactory
    Stream<DynamicTest> everyInputPasses() {
        return FuzzInputs.of(
                FuzzInputsTest.class,
                Map.of(
                        "dev/semel/content/CanonicalJsonFuzz", CanonicalJsonTarget::accept,
                        "dev/semel/content/DifferenceFuzz", DifferenceTarget::accept,
                        "dev/semel/content/KeyDigestsFuzz", KeyDigestsTarget::accept,
                        "dev/semel/content/RedactionFuzz", RedactionTarget::accept,
                        "dev/semel/content/TextFuzz", TextTarget::accept));
    }
}
