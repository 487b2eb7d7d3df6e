// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** A process that starts an application without beans of its own, prints how long that took and its CPU time, and ends. */
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

    @SuppressWarnings("SystemOut") // Read by the process that started this one.
    private static void print(ApplicationReadyEvent event) {
        Duration taken = event.getTimeTaken();
        Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        System.out.println(PREFIX + (taken == null ? 0 : taken.toMillis()) + " " + cpu.toMillis());
    }
}
