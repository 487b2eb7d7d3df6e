// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void theChosenReplaceTheDefaultsHoweverTheyAreSpelled() {
        NamedSettings settings = NamedSettings.of(
                Map.of("max_connections", "200", "fsync", "on"), Map.of("Max-Connections", "5"), Set.of());

        assertThat(settings.values()).isEqualTo(Map.of("Max-Connections", "5", "fsync", "on"));
    }

    @Test
    void theFixedCannotBeChosenHoweverTheyAreSpelled() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> NamedSettings.of(Map.of(), Map.of("Bind-Address", "0.0.0.0"), Set.of("bind_address")));
    }

    @Test
    void nothingElseCanBeSmuggledIn() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NamedSettings(Map.of("--help", "")));
        assertThatIllegalArgumentException().isThrownBy(() -> new NamedSettings(Map.of("a=b", "")));
        assertThatIllegalArgumentException().isThrownBy(() -> new NamedSettings(Map.of("save", "900 1\nport 1")));
    }
}
