// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;

/** Charges the same order twice by mistake: the card is charged once, and both callers receive the same receipt. */
public final class OnceInMemory {
    private static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());

    private OnceInMemory() {}

    public static void main(String[] arguments) {
        Secrets secrets = Secrets.of("change-me: at least 32 random bytes");
        try (Semel semel = Semel.on(new MemoryClaimStore()).secrets(secrets).build()) {
            for (int click = 1; click <= 2; click++) {
                System.out.println(semel.execute(CHARGE, CHARGE.key("acme", "order-17"), run -> {
                    System.out.println("charging the card");
                    return "receipt 4711";
                }));
            }
        }
    }
}
