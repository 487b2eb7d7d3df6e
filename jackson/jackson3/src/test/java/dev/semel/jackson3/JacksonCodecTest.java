// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.claim.StoredResult;
import dev.semel.jackson.cases.CodecCases;
import dev.semel.jackson.cases.PlacedOrder;
import dev.semel.jackson.cases.PlacedOrder.Line;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class JacksonCodecTest extends CodecCases {
    private static final ObjectMapper UPPER_CAMEL = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    @Override
    protected <T> Codec<T> codec(Class<T> type) {
        return JacksonCodec.of(type);
    }

    @Override
    protected Codec<@Nullable Object> codec(Type type) {
        return JacksonCodec.of(type);
    }

    @Test
    void aTypeReferenceNamesAGenericType() throws Exception {
        Codec<List<PlacedOrder>> codec = JacksonCodec.of(new TypeReference<List<PlacedOrder>>() {});

        List<PlacedOrder> read = codec.decode(codec.encode(List.of(PlacedOrder.sample())));

        assertThat(read).containsExactly(PlacedOrder.sample());
    }

    @Test
    void aTreeIsReadBackUnchanged() throws Exception {
        Codec<JsonNode> codec = JacksonCodec.of(JsonNode.class);

        assertThat(codec.encode(codec.decode(json("{\"b\":10.00,\"a\":[null,1.10]}")))
                        .text())
                .isEqualTo("{\"b\":10.00,\"a\":[null,1.10]}");
        assertThat(codec.decode(json("null")).isNull()).isTrue();
    }

    @Test
    void aMapperOfTheApplicationIsUsed() throws Exception {
        Codec<Line> codec = JacksonCodec.of(UPPER_CAMEL, Line.class);
        Line line = new Line("pen", new BigDecimal("2.50"));

        assertThat(codec.encode(line).text()).isEqualTo("{\"Item\":\"pen\",\"Price\":2.50}");
        assertThat(codec.details().encode(line).text()).isEqualTo("{\"Item\":\"pen\",\"Price\":2.50}");
        assertThat(codec.decode(codec.encode(line))).isEqualTo(line);
    }

    @Test
    void unknownMembersAreIgnoredWithAnyMapper() throws Exception {
        assertThat(JacksonCodec.of(UPPER_CAMEL, Line.class).decode(json("{\"Item\":\"pen\",\"Colour\":1}")))
                .isEqualTo(new Line("pen", null));
    }

    @Test
    void aMapperWithDefaultTypingIsRefused() {
        BasicPolymorphicTypeValidator any = BasicPolymorphicTypeValidator.builder()
                .allowIfBaseType(Object.class)
                .build();
        JsonMapper typing = JsonMapper.builder()
                .activateDefaultTyping(any, DefaultTyping.NON_FINAL)
                .build();

        assertThatThrownBy(() -> JacksonCodec.of(typing, Line.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The mapper has default typing");
        assertThatThrownBy(() -> JacksonCodec.of(typing, new TypeReference<List<Line>>() {}))
                .hasMessageStartingWith("The mapper has default typing");
        assertThatThrownBy(() -> JacksonCodec.of(typing, (Type) Object.class))
                .hasMessageStartingWith("The mapper has default typing");
    }

    private static StoredResult json(String text) {
        return new StoredResult("application/json", text.getBytes(StandardCharsets.UTF_8));
    }
}
