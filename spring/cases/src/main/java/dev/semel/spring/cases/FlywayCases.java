// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** The application's migrations and Semel's are separate. */
public abstract class FlywayCases {
    private static final String[] FLYWAY = {
        "spring.flyway.enabled=true", "spring.flyway.locations=classpath:dev/semel/spring/cases/migrations"
    };

    /** Flyway refuses a schema that has tables and no history, so Semel's tables must come after Flyway's. */
    @Test
    void flywayAndSemelMigrateOneEmptyDatabase() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            for (int start = 0; start < 2; start++) {
                try (RunningShop running = RunningShop.start(database, FLYWAY)) {
                    assertThat(running.shop().once("f-1")).isEqualTo("done f-1");
                }
            }
            assertThat(database.single("SELECT count(*) FROM flyway_schema_history"))
                    .isEqualTo("1");
            assertThat(database.single("SELECT max(version) FROM semel_schema_version"))
                    .isEqualTo("3");
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
            try (RunningShop running = RunningShop.start(database, properties)) {
                assertThat(running.shop().once("f-2")).isEqualTo("done f-2");
            }
            assertThat(database.single("SELECT to_regclass('semel_schema_version')::text"))
                    .isNull();
        }
    }

    @Test
    void bothFoldersInOneHistoryCollide() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            assertThatThrownBy(() -> RunningShop.start(
                                    database, FLYWAY[0], FLYWAY[1] + ",classpath:dev/semel/jdbc/postgresql")
                            .close())
                    .hasStackTraceContaining("Found more than one migration with version 1");
        }
    }
}
