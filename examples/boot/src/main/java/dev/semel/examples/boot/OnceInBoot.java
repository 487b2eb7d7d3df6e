// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import java.net.http.HttpResponse;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Starts the order service, posts the same order twice and delivers the same event of Stripe twice: there is one order and one
 * payment. Run it twice with the same file: nothing is added.
 */
public final class OnceInBoot {
    private OnceInBoot() {}

    /** The arguments are properties of Spring, for example {@code --orders.file=FILE}. */
    public static void main(String[] arguments) throws Exception {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--server.port=0";
        try (ConfigurableApplicationContext service = SpringApplication.run(OrderService.class, all)) {
            Environment settings = service.getEnvironment();
            OrderClient client = new OrderClient(settings.getRequiredProperty("local.server.port", Integer.class));
            for (int click = 1; click <= 2; click++) {
                HttpResponse<String> answer = client.order("click-17", "order-17", 1999);
                System.out.printf(
                        "order: %d, replayed: %s, %s%n",
                        answer.statusCode(),
                        answer.headers().firstValue("Idempotent-Replayed").orElse("false"),
                        answer.body());
            }
            String secret = settings.getRequiredProperty("semel.webhooks.stripe.secret");
            for (int delivery = 1; delivery <= 2; delivery++) {
                HttpResponse<String> answer = client.paid(secret, "evt_17", "order-17", 1999);
                System.out.printf("event: %d, %s%n", answer.statusCode(), answer.body());
            }
            JdbcTemplate jdbc = service.getBean(JdbcTemplate.class);
            System.out.printf(
                    "orders: %d, payments: %d, paid: %d cents%n",
                    jdbc.queryForObject("SELECT count(*) FROM orders", Long.class),
                    jdbc.queryForObject("SELECT count(*) FROM payments", Long.class),
                    jdbc.queryForObject("SELECT sum(paid) FROM orders", Long.class));
        }
    }
}
