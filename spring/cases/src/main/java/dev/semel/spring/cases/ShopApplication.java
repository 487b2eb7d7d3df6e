// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.Semel;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** An ordinary application that uses the starter. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ShopApplication {
    @Bean
    Shop shop(JdbcTemplate jdbc) {
        return new Shop(jdbc);
    }

    @Bean
    ShopController shopController(Shop shop) {
        return new ShopController(shop);
    }

    @Bean
    HeaderLogin headerLogin() {
        return new HeaderLogin();
    }

    @Bean
    Cashier cashier(Semel semel, Shop shop, JdbcTemplate jdbc) {
        return new Cashier(semel, shop, jdbc);
    }
}
