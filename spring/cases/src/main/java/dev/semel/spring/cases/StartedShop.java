// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A process that starts an application, prints how long that took and its CPU time, and ends. The application has one bean of
 * its own, which reads from the database, if {@code shop.reads} is set: as nearly every application does at its start.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StartedShop {
    static final String PREFIX = "ready after ms, cpu ms: ";

    /** The arguments are properties. */
    public static void main(String... properties) {
        new SpringApplicationBuilder(StartedShop.class)
                .listeners((ApplicationListener<ApplicationReadyEvent>) StartedShop::print)
                .run(RunningShop.arguments(List.of(properties)))
                .close();
    }

    @Bean
    @ConditionalOnProperty("shop.reads")
    ApplicationRunner reader(JdbcTemplate jdbc) {
        return arguments -> jdbc.queryForObject("SELECT 1", Integer.class);
    }

    @SuppressWarnings("SystemOut") // Read by the process that started this one.
    private static void print(ApplicationReadyEvent event) {
        Duration taken = event.getTimeTaken();
        Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        System.out.println(PREFIX + (taken == null ? 0 : taken.toMillis()) + " " + cpu.toMillis());
    }
}
