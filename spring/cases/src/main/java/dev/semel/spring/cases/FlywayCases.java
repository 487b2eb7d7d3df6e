// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Semel;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The application's migrations and Semel's are separate. */
public abstract class FlywayCases {
    private static final Operation<String> ONCE = Operation.of("flyway.once", Codec.text());
    private static final String[] FLYWAY = {
        "spring.flyway.enabled=true", "spring.flyway.locations=classpath:dev/semel/spring/cases/migrations"
    };

    /** Needs the engine and nothing that waits for Flyway. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class EngineFirst {
        @Bean
        EngineUser usesTheEngine(Semel semel) {
            return new EngineUser(semel);
        }
    }

    record EngineUser(Semel semel) {
        String once(String key) {
            return semel.execute(ONCE, ONCE.key("default", key), run -> "done").orElseThrow();
        }
    }

    /** Flyway refuses a schema that has tables and no history, so Semel's tables must come after Flyway's. */
    @Test
    void flywayAndSemelMigrateOneEmptyDatabase() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            for (int start = 0; start < 2; start++) {
                try (RunningShop running = RunningShop.start(List.of(EngineFirst.class), database, FLYWAY)) {
                    assertThat(running.bean(EngineUser.class).once("f-1")).isEqualTo("done");
                }
            }
            assertThat(database.single("SELECT count(*) FROM flyway_schema_history"))
                    .isEqualTo("1");
            assertThat(database.single("SELECT max(version) FROM semel_schema_version"))
                    .isEqualTo("1");
        }
    }

    @Test
    void flywayAppliesSemelsFilesWithAHistoryOfItsOwn() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            Flyway.configure()
                    .dataSource(database.url(), database.user(), database.password())
                    .locations("classpath:dev/semel/jdbc/postgresql")
                    .table("semel_flyway_history")
                    .load()
                    .migrate();
            String[] properties = {
                FLYWAY[0],
                FLYWAY[1],
                "semel.schema=check",
                "spring.flyway.baseline-on-migrate=true",
                "spring.flyway.baseline-version=0"
            };
            try (RunningShop running = RunningShop.start(List.of(EngineFirst.class), database, properties)) {
                assertThat(running.bean(EngineUser.class).once("f-2")).isEqualTo("done");
            }
            assertThat(database.single("SELECT to_regclass('semel_schema_version')::text"))
                    .isNull();
        }
    }

    @Test
    void bothFoldersInOneHistoryCollide() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            assertThatThrownBy(() -> RunningShop.start(
                                    List.of(EngineFirst.class),
                                    database,
                                    FLYWAY[0],
                                    FLYWAY[1] + ",classpath:dev/semel/jdbc/postgresql")
                            .close())
                    .hasStackTraceContaining("Found more than one migration with version 1");
        }
    }
}
