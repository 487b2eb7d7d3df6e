// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.key.Secrets;
import dev.semel.redis.RedisReplayCache;
import dev.semel.replay.SharedReplayCache;
import dev.semel.spring.RedisUrl;
import dev.semel.spring.SemelAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;

/** A replay cache in the application's Redis, if {@code semel-redis} is on the class path. */
@AutoConfiguration(before = SemelAutoConfiguration.class, after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({RedisReplayCache.class, DataRedisConnectionDetails.class})
@ConditionalOnBean(DataRedisConnectionDetails.class)
@ConditionalOnProperty(
        name = {"semel.enabled", "semel.redis.enabled"},
        matchIfMissing = true)
public final class Boot4RedisAutoConfiguration {
    /** Null for sentinels and clusters, which have no single address: such an application defines its own cache. */
    @Bean
    @ConditionalOnMissingBean
    static @Nullable SharedReplayCache semelRedisReplayCache(DataRedisConnectionDetails details, Secrets secrets) {
        DataRedisConnectionDetails.Standalone redis = details.getStandalone();
        return redis == null
                ? null
                : RedisReplayCache.connect(
                        RedisUrl.of(
                                details.getSslBundle() != null,
                                redis.getHost(),
                                redis.getPort(),
                                redis.getDatabase(),
                                details.getUsername(),
                                details.getPassword()),
                        secrets);
    }
}
