// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

/** Hikari's default pool of 10, and many more callers. */
public abstract class PoolCases {
    private static final int CALLERS = 100;

    private final RunningShop running = SharedShop.get();

    @Test
    void hundredTransactionalCallersOnTenConnectionsAllSucceed() throws Exception {
        assertThat(running.bean(HikariDataSource.class).getMaximumPoolSize()).isEqualTo(10);
        List<Callable<Object>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String id = "p-" + i;
            calls.add(() -> running.cashier().outsideShop(id));
            calls.add(() -> running.cashier().joinShop("j" + id, false));
            calls.add(() -> running.shop().create(OrderRequest.of("c" + id, 1)));
        }
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            for (Future<Object> call : threads.invokeAll(calls)) {
                assertThat(call.get()).isNotNull();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(SharedShop.database().single("SELECT count(*) FROM orders WHERE id LIKE 'jp-%' OR id LIKE 'cp-%'"))
                .isEqualTo("200");
    }

    /** As tools that rotate credentials do: the password of the running pool is changed, and the old one is no longer valid. */
    @Test
    void rotatedPasswordOfTheApplicationsPoolIsUsed() throws Exception {
        try (ShopDatabase database = new ShopDatabase()) {
            database.execute("CREATE ROLE rotated LOGIN SUPERUSER PASSWORD 'before'");
            try (RunningShop rotated = RunningShop.start(
                    database, "spring.datasource.username=rotated", "spring.datasource.password=before")) {
                rotated.shop().once("p-before");
                database.execute("ALTER ROLE rotated PASSWORD 'after'");
                rotated.bean(HikariDataSource.class).getHikariConfigMXBean().setPassword("after");
                database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'");

                assertThat(rotated.shop().once("p-after")).isEqualTo("done p-after");
            }
        }
    }

    /** Fails while Semel's tables are checked in the background. */
    @Configuration(proxyBeanMethods = false)
    static class FailsDuringTheCheck {
        @Bean
        @DependsOn("semelEngineStore")
        String failing() {
            throw new IllegalStateException("the application itself fails");
        }
    }

    @Test
    void startThatFailsDuringTheCheckLeavesNothing() throws Exception {
        try (ShopDatabase database = new ShopDatabase()) {
            Output output = Output.of(
                    () -> RunningShop.start(List.of(ShopApplication.class, FailsDuringTheCheck.class), database)
                            .close());

            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("semel-start"));
            assertThat(output.failure()).hasStackTraceContaining("the application itself fails");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(database.single("""
                            SELECT count(*) FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid()
                            """)).isEqualTo("0"));
        }
    }
}
