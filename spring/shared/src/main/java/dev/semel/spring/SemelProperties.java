// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.http.KeyPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starters.
 *
 * @param secret the secret behind all digests and encryption; required, at least 32 bytes, and the same on all instances
 * @param previousSecrets other active secrets while one is being rotated
 * @param tenant the tenant of calls that name none
 * @param store where claims live: {@code auto} uses {@code semel.sqlite} or the application's data source
 * @param sqlite an SQLite file for the claims, instead of the application's data source
 * @param dataSource the name of the data source bean, if the application has several
 * @param transactionManager the name of the transaction manager bean for {@code JOIN}, if the application has several
 * @param schema whether missing tables are created at start ({@code migrate}) or their absence is an error ({@code check})
 * @param pool whether the engine has its own small pool, or shares the application's
 * @param poolSize how many connections the engine uses at most
 * @param storeTimeout how long a caller waits for the store before the outcome is unavailable
 * @param closeTimeout how long a closing context waits for running calls
 * @param dynamodb the table of {@code semel.store=dynamodb}
 * @param redis the replay cache in Redis
 * @param http the Idempotency-Key header on controllers
 */
@ConfigurationProperties("semel")
public record SemelProperties(
        @Nullable String secret,
        @DefaultValue List<String> previousSecrets,
        @DefaultValue("default") String tenant,
        @DefaultValue("auto") StoreKind store,
        @Nullable Path sqlite,
        @Nullable String dataSource,
        @Nullable String transactionManager,
        @DefaultValue("migrate") SchemaMode schema,
        @DefaultValue("own") PoolMode pool,
        @DefaultValue("4") int poolSize,
        @DefaultValue("5s") Duration storeTimeout,
        @DefaultValue("30s") Duration closeTimeout,
        @DefaultValue DynamoDb dynamodb,
        @DefaultValue Redis redis,
        @DefaultValue Http http) {
    public SemelProperties {
        if (poolSize < 1 || poolSize > 100) {
            throw new IllegalArgumentException("semel.pool-size must be 1 to 100, but is " + poolSize);
        }
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("semel.close-timeout must not be negative, but is " + closeTimeout);
        }
    }

    /** Where claims live. */
    public enum StoreKind {
        /** In the SQLite file if one is named, otherwise in the application's database. */
        AUTO,
        /** In the application's database. */
        JDBC,
        /** In a table of Amazon DynamoDB. */
        DYNAMODB,
        /** In the memory of this process: they end with it, and other instances do not see them. */
        MEMORY
    }

    /** What happens to the tables at start. */
    public enum SchemaMode {
        /** Missing tables are created and old ones updated. */
        MIGRATE,
        /** Missing tables are an error. */
        CHECK
    }

    /** Whose connections the engine uses. */
    public enum PoolMode {
        /** Connections of its own, made with the settings of the application's pool. */
        OWN,
        /** Connections of the application's pool. */
        SHARED
    }

    /**
     * The table in DynamoDB. The application's {@code DynamoDbAsyncClient} bean is used if it has one.
     *
     * @param table the name of the table
     * @param createTable whether a missing table is created at start. An empty table knows no key, so in production create it with
     *     the CloudFormation template
     * @param region the region, if Semel makes the client; by default, where the AWS SDK finds it
     * @param endpoint another endpoint than that of the region, if Semel makes the client: for DynamoDB Local
     */
    public record DynamoDb(
            @DefaultValue("semel_claims") String table,
            @DefaultValue("false") boolean createTable,
            @Nullable String region,
            @Nullable URI endpoint) {}

    /**
     * The replay cache in Redis.
     *
     * @param enabled whether Redis is used if the application has it and {@code semel-redis} is on the class path
     */
    public record Redis(@DefaultValue("true") boolean enabled) {}

    /**
     * The Idempotency-Key header on controllers.
     *
     * @param enabled whether routes are protected
     * @param filterOrder the order of the servlet filter; it must come after the filter that authenticates
     * @param maxBodySize the maximum body size of a protected request in bytes
     * @param routes more routes, for handlers without the annotation
     */
    public record Http(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("0") int filterOrder,
            @DefaultValue("1048576") int maxBodySize,
            @DefaultValue List<RouteProperties> routes) {}

    /**
     * A protected route.
     *
     * @param path for example {@code /orders/**} or {@code /orders/{id}}
     * @param methods the protected methods
     * @param key whether a request without a key is refused, passes through, or gets a key derived from its content
     * @param ttl how long an answer is replayed
     */
    public record RouteProperties(
            String path,
            @DefaultValue({"POST", "PATCH"}) Set<String> methods,
            @DefaultValue("required") KeyPolicy key,
            @DefaultValue("1d") Duration ttl) {}

    /** Does not show the secrets. */
    @Override
    public String toString() {
        return "SemelProperties[store=%s, schema=%s, pool=%s, poolSize=%d, tenant=%s]"
                .formatted(store, schema, pool, poolSize, tenant);
    }
}
