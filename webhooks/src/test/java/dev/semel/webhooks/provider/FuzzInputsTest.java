// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.FuzzInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the stored inputs of the fuzz tests: starting points and past findings. */
class FuzzInputsTest {
    private static final String PACKAGE = "dev/semel/webhooks/provider/";

    @TestFactory
    Stream<DynamicTest> everyInputPasses() {
        Map<String, Consumer<byte[]>> targets = new LinkedHashMap<>();
        targets.put(PACKAGE + "FormFuzz", FormTarget::accept);
        targets.put(PACKAGE + "SettingsFuzz", SettingsTarget::accept);
        Providers.names()
                .forEach(type -> targets.put(PACKAGE + ProviderTarget.fuzzTest(type), new ProviderTarget(type)));
        return FuzzInputs.of(FuzzInputsTest.class, targets);
    }

    @Test
    void everyProviderHasAFuzzTest() throws IOException {
        String tests = Files.readString(Path.of("src/fuzz/java/" + PACKAGE + "ProviderFuzz.java"));

        assertThat(Providers.names())
                .allSatisfy(type -> assertThat(tests).contains("class " + ProviderTarget.fuzzTest(type) + " "));
    }
}
