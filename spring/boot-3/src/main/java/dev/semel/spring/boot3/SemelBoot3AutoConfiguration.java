// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot3;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.jackson2.JacksonCodec;
import dev.semel.spring.ResultCodecs;
import dev.semel.spring.SemelAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Results as JSON, by the application's Jackson 2. */
@AutoConfiguration(before = SemelAutoConfiguration.class, after = JacksonAutoConfiguration.class)
@ConditionalOnProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnClass(ObjectMapper.class)
public final class SemelBoot3AutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    static ResultCodecs semelResultCodecs(ObjectProvider<ObjectMapper> mapper) {
        ObjectMapper json = mapper.getIfAvailable(() -> new ObjectMapper().findAndRegisterModules());
        return type -> JacksonCodec.of(json, type);
    }
}
