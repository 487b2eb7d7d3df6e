// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.sql.DataSource;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

/** Other Java libraries, each used as its documentation shows. */
final class Peers {
    private Peers() {}

    /** Spring Integration: claims with putIfAbsent and stores the result with replace. */
    static Contender.BlockingCall springIntegration(DataSource pool) {
        JdbcMetadataStore store = new JdbcMetadataStore(pool);
        store.afterPropertiesSet();
        store.start();
        MeasuredKeys keys = new MeasuredKeys();
        return number -> {
            String key = keys.firstTime(number);
            if (store.putIfAbsent(key, "started") != null || !store.replace(key, "started", MeasuredResult.TEXT)) {
                throw new IllegalStateException("A random key already existed");
            }
        };
    }

    static void createSpringTable(BenchDatabase database) throws Exception {
        ClassPathResource ddl = new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql");
        for (String statement :
                List.of(ddl.getContentAsString(StandardCharsets.UTF_8).split(";", -1))) {
            if (statement.contains("INT_METADATA_STORE")) {
                database.execute(statement);
            }
        }
    }

    /** Camel: claims with add and confirms. It stores no result. */
    static Contender.BlockingCall camel(DataSource pool) {
        JdbcMessageIdRepository repository = new JdbcMessageIdRepository(pool, "bench");
        repository.start();
        MeasuredKeys keys = new MeasuredKeys();
        return number -> {
            String key = keys.firstTime(number);
            if (!repository.add(key) || !repository.confirm(key)) {
                throw new IllegalStateException("A random key already existed");
            }
        };
    }

    /** DBOS Transact: one workflow per key, with the key as its id. Its result is stored. */
    static final class Dbos implements AutoCloseable {
        private final DBOS dbos;
        private final Once once;
        private final MeasuredKeys keys = new MeasuredKeys();

        Dbos(DataSource pool) {
            dbos = new DBOS(DBOSConfig.defaults("bench").withDataSource(pool).withMigrate(true));
            once = dbos.registerProxy(Once.class, new Impl());
            dbos.launch();
        }

        void firstTime(long number) throws Exception {
            String result = dbos.startWorkflow(
                            () -> once.work(MeasuredResult.TEXT), new StartWorkflowOptions(keys.firstTime(number)))
                    .getResult();
            if (!MeasuredResult.TEXT.equals(result)) {
                throw new IllegalStateException("Unexpected: " + result);
            }
        }

        @Override
        public void close() {
            dbos.close();
        }

        /** The workflow's interface, which DBOS requires. */
        public interface Once {
            String work(String result);
        }

        /** The workflow. */
        public static final class Impl implements Once {
            @Override
            @Workflow(name = "once")
            public String work(String result) {
                return result;
            }
        }
    }
}
