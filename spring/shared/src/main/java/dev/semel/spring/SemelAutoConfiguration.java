// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.CallerTransactions;
import dev.semel.ClaimListener;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.SharedReplayCache;
import dev.semel.replay.TieredReplayCache;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * The engine. The one required property is {@code semel.secret}. Every bean steps back for one of the application's own, and
 * {@code semel.enabled=false} leaves all of them out.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration"
        })
@ConditionalOnProperty(name = "semel.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SemelProperties.class)
@Import({TransactionsConfiguration.class, MethodsConfiguration.class})
public final class SemelAutoConfiguration {
    private static final long PROCESS_CACHE_BYTES = 32L << 20;

    @Bean
    @ConditionalOnMissingBean
    static Secrets semelSecrets(SemelProperties properties) {
        String secret = properties.secret();
        if (secret == null || secret.isBlank()) {
            throw new InvalidSetupException(
                    "Semel has no secret: the property semel.secret is missing.",
                    "Make one with `openssl rand -hex 32` and set it on all instances, as the environment variable SEMEL_SECRET or"
                            + " from your secret store. Do not commit it.");
        }
        UnresolvedPlaceholders.check("semel.secret", secret);
        properties
                .previousSecrets()
                .forEach(previous -> UnresolvedPlaceholders.check("semel.previous-secrets", previous));
        try {
            return Secrets.of(secret, properties.previousSecrets().toArray(String[]::new));
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "semel.secret or semel.previous-secrets is invalid: %s.".formatted(e.getMessage()),
                    "Each secret has at least %d bytes and is listed once: make one with `openssl rand -hex 32`."
                            .formatted(Secret.MIN_BYTES),
                    e);
        }
    }

    /** After Flyway and Liquibase, which refuse a schema that already has tables of others. */
    @Bean
    @ConditionalOnMissingBean(ClaimStore.class)
    @DependsOnDatabaseInitialization
    static EngineStore semelEngineStore(SemelProperties properties, Secrets checkedFirst, ListableBeanFactory beans) {
        return EngineStore.of(properties, beans);
    }

    /** Lazy, because it waits for the check of the tables. */
    @Bean(destroyMethod = "")
    @Lazy
    @ConditionalOnMissingBean
    static ClaimStore semelClaimStore(EngineStore store) {
        return store.store();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    static Semel semel(
            ClaimStore store,
            Secrets secrets,
            SemelProperties properties,
            ObjectProvider<CallerTransactions> transactions,
            ObjectProvider<SharedReplayCache> caches,
            ObjectProvider<ClaimListener> listeners,
            ObjectProvider<SemelCustomizer> customizers) {
        SemelBuilder builder = Semel.on(store)
                .secrets(secrets)
                .storeTimeout(properties.storeTimeout())
                .storeThreads(properties.poolSize());
        listeners.orderedStream().forEach(builder::listener);
        transactions.ifAvailable(builder::callerTransactions);
        // A store without an epoch cannot be cached: every replay reads it.
        if (store instanceof CacheEpoch) {
            caches.ifAvailable(shared ->
                    builder.replayCache(new TieredReplayCache(new ProcessReplayCache(PROCESS_CACHE_BYTES), shared)));
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    /** Creates the engine at the latest when all other beans exist, so that every failure of its store stops the start. */
    @Bean
    static SmartInitializingSingleton semelEngineStart(ObjectProvider<Semel> engines) {
        return () -> engines.forEach(created -> {});
    }

    @Bean
    static EngineShutdown semelEngineShutdown(ConfigurableApplicationContext context, SemelProperties properties) {
        return new EngineShutdown(context, properties.closeTimeout());
    }

    @Bean
    @ConditionalOnMissingBean
    static StoreHealth semelStoreHealth(
            ObjectProvider<Semel> semel, ObjectProvider<ClaimStore> store, ObjectProvider<EngineStore> configured) {
        return new StoreHealth(semel::getObject, store::getObject, configured.getIfAvailable());
    }
}
