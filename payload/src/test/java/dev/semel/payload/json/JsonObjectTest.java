// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    private static final Json ONE = JsonNumber.of(1);
    private static final Json TWO = JsonNumber.of(2);

    @Test
    void keepsTheOrderOfItsMembers() {
        JsonObject object = new JsonObject.Builder()
                .put("b", ONE)
                .put("a", ONE)
                .putIfAbsent("b", TWO)
                .put("a", TWO)
                .build();

        assertThat(new String(object.utf8(), StandardCharsets.UTF_8)).isEqualTo("{\"b\":1,\"a\":2}");
    }

    @Test
    void isImmutable() {
        JsonObject.Builder builder = new JsonObject.Builder().put("a", ONE);
        JsonObject built = builder.build();
        builder.put("a", TWO);
        Map<String, Json> map = new LinkedHashMap<>(Map.of("a", ONE));
        JsonObject copied = new JsonObject(map);
        map.put("a", TWO);
        JsonObject read = (JsonObject) Json.parse("{\"a\":1}".getBytes(StandardCharsets.UTF_8));

        assertThat(built).isEqualTo(copied).isEqualTo(read).hasSameHashCodeAs(read);
        assertThat(builder.build()).isNotEqualTo(built);
        for (JsonObject object : new JsonObject[] {built, copied, read}) {
            assertThat(object.members()).isUnmodifiable();
        }
    }

    @Test
    void rejectsMembersWithoutCanonicalForm() {
        JsonObject.Builder builder = new JsonObject.Builder();
        assertThatIllegalArgumentException().isThrownBy(() -> builder.put("\ud83d", ONE));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.putIfAbsent("\ude00", ONE));
        assertThatIllegalArgumentException().isThrownBy(() -> new JsonObject(Map.of("\ud83d", ONE)));
        assertThatNullPointerException().isThrownBy(() -> builder.put("a", null));
        assertThat(builder.build().members()).isEmpty();
    }
}
