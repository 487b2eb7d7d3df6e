// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An order service. Its claims are in its own database: a SQLite file, or PostgreSQL with {@code
 * --spring.datasource.url=jdbc:postgresql://...}.
 */
@SpringBootApplication
public class OrderService {
    public static void main(String[] arguments) {
        SpringApplication.run(OrderService.class, arguments);
    }
}
