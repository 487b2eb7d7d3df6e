// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.jackson3.JacksonCodec;
import dev.semel.spring.ResultCodecs;
import dev.semel.spring.SemelAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Results as JSON, by the application's Jackson 3. */
@AutoConfiguration(before = SemelAutoConfiguration.class, after = JacksonAutoConfiguration.class)
@ConditionalOnProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnClass(ObjectMapper.class)
public final class SemelBoot4AutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    static ResultCodecs semelResultCodecs(ObjectProvider<JsonMapper> mapper) {
        JsonMapper json = mapper.getIfAvailable(JsonMapper::new);
        return type -> JacksonCodec.of(json, type);
    }
}
