// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.RunContext;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An effect that tests count, by the child key that each attempt sent. */
final class Bank {
    static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());
    static final ClaimKey ORDER = CHARGE.key("acme", "order-17");

    private final List<String> keys = new CopyOnWriteArrayList<>();

    String charge(RunContext run) {
        keys.add(run.childKey("charge"));
        return "receipt " + keys.size();
    }

    Outcome<String> charge(Semel semel) {
        return semel.execute(CHARGE, ORDER, this::charge);
    }

    /** The child keys of all attempts. */
    List<String> keys() {
        return keys;
    }
}
