// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import dev.semel.spring.Idempotent;
import dev.semel.spring.TransactionMode;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/**
 * Orders and payments in the database. Rows, claim and result are one commit ({@code JOIN}), so each happens exactly once:
 * after a crash there is either all of it or nothing.
 */
@Service
public class OrderBook {
    private final JdbcTemplate jdbc;

    OrderBook(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A client that uses its reference again for another order is refused, because the fingerprint differs. */
    @Idempotent(
            scope = "orders.place",
            key = "#form.reference",
            fingerprint = "#form",
            waitUpTo = "5s",
            transaction = TransactionMode.JOIN)
    public BookedOrder place(OrderForm form) {
        String id = UUID.randomUUID().toString();
        jdbc.update(
                "INSERT INTO orders (id, reference, item, cents, paid) VALUES (?, ?, ?, ?, 0)",
                id,
                form.reference(),
                form.item(),
                form.cents());
        return new BookedOrder(id, form.reference(), form.item(), form.cents());
    }

    /** Adds a payment to its order. */
    @Idempotent(scope = "orders.pay", key = "#event", transaction = TransactionMode.JOIN)
    public void pay(String event, String reference, long cents) {
        jdbc.update("INSERT INTO payments (event, reference, cents) VALUES (?, ?, ?)", event, reference, cents);
        int orders = jdbc.update("UPDATE orders SET paid = paid + ? WHERE reference = ?", cents, reference);
        if (orders != 1) {
            throw new IllegalArgumentException("The payment is for an order that does not exist");
        }
    }
}
