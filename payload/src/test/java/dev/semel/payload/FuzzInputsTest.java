// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import dev.semel.testservers.FuzzInputs;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the fuzz targets on the initial inputs of the fuzz tests and on inputs that once failed. */
class FuzzInputsTest {
    @TestFactory
    Stream<DynamicTest> everyInputPasses() {
        return FuzzInputs.of(
                FuzzInputsTest.class,
                Map.of(
                        "dev/semel/payload/CanonicalJsonFuzz", CanonicalJsonTarget::accept,
                        "dev/semel/payload/DifferenceFuzz", DifferenceTarget::accept,
                        "dev/semel/payload/KeyDigestsFuzz", KeyDigestsTarget::accept,
                        "dev/semel/payload/RedactionFuzz", RedactionTarget::accept,
                        "dev/semel/payload/TextFuzz", TextTarget::accept));
    }
}
