// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spring.SemelProperties.SchemaMode;
import dev.semel.spring.SemelProperties.StoreKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * The store that the properties select, and the pool that it uses. The first connection and the check of the tables take most of the
 * engine's start, so they run on a thread of their own while the application creates its other beans. {@link #store} waits for
 * them.
 */
final class EngineStore implements AutoCloseable {
    private final CompletableFuture<? extends ClaimStore> store;
    private final String description;
    private final AutoCloseable resource;

    private EngineStore(CompletableFuture<? extends ClaimStore> store, String description, AutoCloseable resource) {
        this.store = store;
        this.description = description;
        this.resource = resource;
    }

    private static final String CHOICES = """
            Choose where claims live:
              - in the application's database (PostgreSQL, MariaDB, MySQL or SQLite): add spring-boot-starter-jdbc (or -data-jpa), a
                driver, and spring.datasource.url
              - in a file of this machine: set semel.sqlite=/path/of/file.db and add org.xerial:sqlite-jdbc
              - in a table of Amazon DynamoDB: set semel.store=dynamodb and add dev.semel:semel-dynamodb
              - in memory, for tests only: set semel.store=memory""";

    static EngineStore of(SemelProperties properties, ListableBeanFactory beans) {
        if (properties.store() == StoreKind.MEMORY) {
            return new EngineStore(CompletableFuture.completedFuture(new MemoryClaimStore()), "memory", () -> {});
        }
        if (properties.store() == StoreKind.DYNAMODB) {
            return onDynamoDb(properties, beans);
        }
        if (properties.store() == StoreKind.AUTO && properties.sqlite() != null) {
            JdbcClaimStore file = JdbcClaimStore.sqlite(properties.sqlite());
            return new EngineStore(CompletableFuture.completedFuture(file), "SQLite file", file);
        }
        DataSource dataSource = dataSourceOf(properties, beans);
        if (dataSource == null) {
            throw new InvalidSetupException("Semel has no store: the application has no DataSource.", CHOICES);
        }
        if (isRouting(dataSource)) {
            throw new InvalidSetupException(
                    "The application's DataSource chooses a database for each thread, and the engine calls it from several threads.",
                    "Set semel.data-source to the DataSource bean of the one database that keeps the claims, or set semel.sqlite.");
        }
        EnginePool pool = EnginePool.of(properties, dataSource);
        // Another data source may ask for beans when it opens a connection, and the thread that creates beans waits for
        // it.
        Executor executor = pool.isOwn() ? EngineStore::inBackground : Runnable::run;
        return new EngineStore(
                CompletableFuture.supplyAsync(() -> onDatabase(properties, dataSource, pool), executor),
                pool.description(),
                pool);
    }

    private static EngineStore onDynamoDb(SemelProperties properties, ListableBeanFactory beans) {
        if (!ClassUtils.isPresent("dev.semel.dynamodb.DynamoClaimStore", EngineStore.class.getClassLoader())) {
            throw new InvalidSetupException(
                    "semel.store=dynamodb is set, but the store is not on the class path.",
                    "Add the dependency dev.semel:semel-dynamodb.");
        }
        DynamoTableAccess access = DynamoTableAccess.of(properties.dynamodb(), beans);
        return new EngineStore(
                CompletableFuture.supplyAsync(access::store, EngineStore::inBackground),
                "DynamoDB table " + properties.dynamodb().table(),
                access);
    }

    private static boolean isRouting(DataSource dataSource) {
        return ClassUtils.isPresent(
                        "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource",
                        EngineStore.class.getClassLoader())
                && dataSource instanceof AbstractRoutingDataSource;
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "semel-start");
        thread.setDaemon(true);
        thread.start();
    }

    /** The application's own pool checks the tables: it has a connection sooner or later anyway. */
    private static ClaimStore onDatabase(SemelProperties properties, DataSource application, EnginePool pool) {
        try {
            if (properties.schema() == SchemaMode.MIGRATE) {
                Schema.of(application).migrate();
            }
            return JdbcClaimStore.on(pool.dataSource(), application);
        } catch (SchemaException e) {
            throw new InvalidSetupException(String.valueOf(e.getMessage()), actionFor(properties), e);
        } catch (StoreException e) {
            throw e.kind() == StoreException.Kind.REJECTED
                    ? new InvalidSetupException(String.valueOf(e.getMessage()), CHOICES, e)
                    : new InvalidSetupException(
                            "Semel cannot reach the application's database: %s.".formatted(e.getMessage()),
                            "Check spring.datasource.url and that the database accepts connections.",
                            e);
        }
    }

    private static String actionFor(SemelProperties properties) {
        return properties.schema() == SchemaMode.CHECK
                ? "Apply the statements above with your migration tool, or remove semel.schema=check to let Semel create its tables."
                : "Let the user of spring.datasource create tables once, or apply Semel's schema files yourself and set"
                        + " semel.schema=check.";
    }

    /** The application's data source, or null if it has none. */
    static @Nullable DataSource dataSourceOf(SemelProperties properties, ListableBeanFactory beans) {
        if (!ClassUtils.isPresent("javax.sql.DataSource", EngineStore.class.getClassLoader())) {
            return null;
        }
        if (properties.dataSource() != null) {
            if (!beans.containsBean(properties.dataSource())) {
                throw new InvalidSetupException(
                        "semel.data-source=%s is not the name of a bean.".formatted(properties.dataSource()),
                        "Set it to the name of one of the DataSource beans: %s."
                                .formatted(String.join(", ", beans.getBeanNamesForType(DataSource.class))));
            }
            return beans.getBean(properties.dataSource(), DataSource.class);
        }
        try {
            return beans.getBeanProvider(DataSource.class).getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidSetupException(
                    "The application has several DataSource beans and none is primary: %s."
                            .formatted(String.join(", ", beans.getBeanNamesForType(DataSource.class))),
                    "Set semel.data-source to the name of the one whose database keeps the claims, or mark one @Primary.",
                    e);
        }
    }

    /**
     * The store, when its tables are checked.
     *
     * @throws InvalidSetupException if the database cannot be reached or its tables are missing, with the fix
     */
    ClaimStore store() {
        try {
            return store.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Where the claims are, for health and info. */
    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", description);
        return details;
    }

    /** Waits for a check that still runs, because the pools are closed next. */
    @Override
    public void close() throws Exception {
        store.handle((checked, failure) -> checked).join();
        resource.close();
    }
}
