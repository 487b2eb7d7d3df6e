package shop;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.jackson3.JacksonCodec;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Optional;

/** Places an order once, also if it is started again. */
public class OrderProgram {
    record Order(String id, BigDecimal total, LocalDate day, Optional<String> coupon) {}

    static final Operation<Order> PLACE = Operation.of("order.place", JacksonCodec.of(Order.class));

    public static void main(String[] arguments) {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(Path.of(arguments[0]));
                Semel semel = Semel.on(store).secrets(Secrets.of("change-me: at least 32 random bytes")).build()) {
            Outcome<Order> outcome = semel.execute(PLACE, PLACE.key("acme", "order-17"), run -> {
                System.out.println("placing the order");
                return new Order("order-17", new BigDecimal("10.00"), LocalDate.of(2026, 2, 28), Optional.empty());
            });
            System.out.println(outcome);
        }
    }
}
