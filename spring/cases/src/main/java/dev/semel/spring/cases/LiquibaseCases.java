// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Liquibase beside Semel's own migrations. */
public abstract class LiquibaseCases {
    private static final String FOLDER = "spring.liquibase.change-log=classpath:dev/semel/spring/cases/liquibase/";

    private static void start(ShopDatabase database, String changeLog, String schema) {
        try (RunningShop running = RunningShop.start(
                List.of(FlywayCases.EngineFirst.class),
                database,
                "spring.liquibase.enabled=true",
                FOLDER + changeLog,
                "semel.schema=" + schema)) {
            assertThat(running.bean(FlywayCases.EngineUser.class).once("l-1")).isEqualTo("done");
        }
    }

    @Test
    void liquibaseAndSemelMigrateOneEmptyDatabase() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            start(database, "shop.yaml", "migrate");
            start(database, "shop.yaml", "migrate");

            assertThat(database.count("databasechangelog")).isEqualTo(1);
            assertThat(database.single("SELECT max(version) FROM semel_schema_version"))
                    .isEqualTo("1");
            assertThat(database.single("SELECT 'idempotency_keys'::regclass::oid > 'shop_items'::regclass::oid"))
                    .as("Semel's tables are created after the application's")
                    .isEqualTo("t");
        }
    }

    @Test
    void liquibaseAppliesSemelsFiles() throws Exception {
        try (ShopDatabase database = ShopDatabase.empty()) {
            start(database, "shop-and-semel.yaml", "check");

            assertThat(database.single("SELECT to_regclass('semel_schema_version')::text"))
                    .isNull();
        }
    }
}
