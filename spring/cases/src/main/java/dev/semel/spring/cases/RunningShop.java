// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.Semel;
import dev.semel.testservers.FreshDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A started application. */
final class RunningShop implements AutoCloseable {
    static final String SECRET = "0123456789abcdef0123456789abcdef";

    private final ConfigurableApplicationContext context;

    private RunningShop(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static RunningShop start(FreshDatabase database, String... properties) {
        return start(List.of(ShopApplication.class), database, properties);
    }

    static RunningShop start(List<Class<?>> sources, FreshDatabase database, String... properties) {
        return new RunningShop(new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.SERVLET)
                .run(arguments(properties(database), properties)));
    }

    /** Command-line arguments. A later property replaces an earlier one of the same name. */
    static String[] arguments(List<String> properties, String... more) {
        Map<String, String> all = new LinkedHashMap<>();
        Stream.concat(properties.stream(), Stream.of(more))
                .forEach(property -> all.put(property.substring(0, property.indexOf('=')), "--" + property));
        return all.values().toArray(String[]::new);
    }

    /** The properties that an application on this database needs, and those that keep tests quiet and local. */
    static List<String> properties(FreshDatabase database) {
        return List.of(
                "semel.secret=" + SECRET,
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.main.banner-mode=off",
                "spring.flyway.enabled=false",
                "semel.redis.enabled=false",
                "management.health.redis.enabled=false",
                "management.endpoints.web.exposure.include=health,info",
                "management.endpoint.health.show-details=always",
                "server.address=127.0.0.1",
                "server.port=0",
                "logging.level.root=WARN");
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Shop shop() {
        return bean(Shop.class);
    }

    Cashier cashier() {
        return bean(Cashier.class);
    }

    Semel semel() {
        return bean(Semel.class);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
