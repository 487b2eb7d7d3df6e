// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An application with two data sources, the first of which can fail, and with transactions outside every other advice. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement(order = 0, proxyTargetClass = true)
class FaultyApplication extends ShopApplication {
    @Bean(destroyMethod = "close")
    HikariDataSource otherDataSource(
            @Value("${spring.datasource.url}") String url,
            @Value("${spring.datasource.username}") String user,
            @Value("${spring.datasource.password}") String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(5);
        return pool;
    }

    @Bean
    @Primary
    FaultyDataSource shopDataSource(HikariDataSource otherDataSource) {
        return new FaultyDataSource(otherDataSource);
    }

    @Bean
    @Primary
    PlatformTransactionManager shopTransactions(FaultyDataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean
    PlatformTransactionManager otherTransactions(HikariDataSource otherDataSource) {
        return new JdbcTransactionManager((DataSource) otherDataSource);
    }
}
