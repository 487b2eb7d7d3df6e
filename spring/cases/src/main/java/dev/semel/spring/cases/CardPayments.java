// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.spring.CurrentRun;
import dev.semel.spring.Idempotent;
import dev.semel.spring.TransactionMode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The idempotent methods of an application without a database. */
public class CardPayments {
    private final Bank bank;

    CardPayments(Bank bank) {
        this.bank = bank;
    }

    @Idempotent(scope = "card.charge", key = "#order")
    public String charge(String order) {
        bank.charge(CurrentRun.get().childKey("charge"));
        return "receipt of " + order;
    }

    @Idempotent(scope = "card.join", key = "#order", transaction = TransactionMode.JOIN)
    public void join(String order) {
        bank.charge(order);
    }

    /** The payment provider. It keeps the keys that it received. */
    static final class Bank {
        private final List<String> keys = new CopyOnWriteArrayList<>();

        void charge(String key) {
            keys.add(key);
        }

        List<String> keys() {
            return keys;
        }
    }

    /** A protected route. */
    @RestController
    public static class CardController {
        private final Bank bank;

        CardController(Bank bank) {
            this.bank = bank;
        }

        @PostMapping("/charges")
        @Idempotent(scope = "charges.create")
        public Map<String, Integer> charge() {
            bank.charge("over HTTP");
            return Map.of("charge", bank.keys().size());
        }
    }
}
