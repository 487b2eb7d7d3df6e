// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot3;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.Codec;
import dev.semel.DetailsCodec;
import dev.semel.claim.StoredResult;
import dev.semel.spring.ResultCodecs;
import java.lang.reflect.Type;

/** JSON by Jackson 2. */
record Jackson2Results(ObjectMapper mapper) implements ResultCodecs {
    private static final String JSON = "application/json";

    @Override
    public Codec<?> of(Type type) {
        JavaType java = mapper.constructType(type);
        return new Codec<>() {
            @Override
            public StoredResult encode(Object value) throws Exception {
                return new StoredResult(JSON, mapper.writerFor(java).writeValueAsBytes(value));
            }

            @Override
            public Object decode(StoredResult stored) throws Exception {
                return mapper.readValue(stored.bytes(), java);
            }

            @Override
            public DetailsCodec details() {
                return new Details(mapper);
            }
        };
    }

    /** The details of rejections. */
    private record Details(ObjectMapper mapper) implements DetailsCodec {
        @Override
        public StoredResult encode(Object details) throws Exception {
            return new StoredResult(JSON, mapper.writeValueAsBytes(details));
        }

        @Override
        public <D> D decode(StoredResult stored, Class<D> type) throws Exception {
            return mapper.readValue(stored.bytes(), type);
        }
    }
}
