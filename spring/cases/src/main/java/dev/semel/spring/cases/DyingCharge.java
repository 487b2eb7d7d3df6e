// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A process that charges and is killed before it can settle. */
public final class DyingCharge {
    private DyingCharge() {}

    /** The first argument is the key, the others are properties. */
    public static void main(String... arguments) throws InterruptedException {
        List<String> properties = List.of(arguments).subList(1, arguments.length);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ShopApplication.class)
                .web(WebApplicationType.NONE)
                .run(RunningShop.arguments(properties));
        context.getBean(Shop.class).charge(arguments[0], true);
    }
}
