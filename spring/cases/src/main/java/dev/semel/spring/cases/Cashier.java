// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

/** Callers with an open transaction. */
public class Cashier {
    static final Operation<String> PAY = Operation.of("cashier.pay", Codec.text());

    private final Semel semel;
    private final Shop shop;
    private final JdbcTemplate jdbc;

    Cashier(Semel semel, Shop shop, JdbcTemplate jdbc) {
        this.semel = semel;
        this.shop = shop;
        this.jdbc = jdbc;
    }

    private String insert(String id) {
        jdbc.update("INSERT INTO orders (id, amount) VALUES (?, 1)", id);
        return "paid " + id;
    }

    /** The trap: without the guard, the claim would be settled and the row rolled back. */
    @Transactional
    public Outcome<String> pay(Operation<String> operation, String id, boolean failsLater) {
        Outcome<String> outcome = semel.execute(operation, operation.key("default", id), run -> insert(id));
        if (failsLater) {
            throw new IllegalStateException("the caller fails after the settlement");
        }
        return outcome;
    }

    @Transactional(isolation = Isolation.SERIALIZABLE)
    public Outcome<String> paySerializable(Operation<String> operation, String id) {
        return semel.execute(operation, operation.key("default", id), run -> insert(id));
    }

    @Transactional(readOnly = true)
    public Outcome<String> payReadOnly(Operation<String> operation, String id) {
        return semel.execute(operation, operation.key("default", id), run -> insert(id));
    }

    @Transactional
    public Outcome<String> payMarked(Operation<String> operation, String id) {
        TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        return semel.execute(operation, operation.key("default", id), run -> insert(id));
    }

    @Transactional
    public Outcome<String> payMarkedInside(Operation<String> operation, String id) {
        return semel.execute(operation, operation.key("default", id), run -> {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            return insert(id);
        });
    }

    @Transactional
    public String joinShop(String id, boolean failsLater) {
        String answer = shop.join(id);
        if (failsLater) {
            throw new IllegalStateException("the caller fails after the settlement");
        }
        return answer;
    }

    /** Holds a connection of the application's pool while the engine needs one of its own. */
    @Transactional
    public String outsideShop(String id) {
        jdbc.queryForObject("SELECT 1", Integer.class);
        return shop.outside(id);
    }

    @Transactional
    public String refusedShop(String id) {
        shop.nothing(id);
        return id;
    }
}
