// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransactionNestingTest {
    private final TransactionProtocol protocol =
            new TransactionProtocol(Secrets.of(Secret.of("0123456789abcdef0123456789abcdef")));
    private final OpenTransaction transaction = new MemoryTransaction();
    private final AliasedKey order = AliasedKey.of(CHARGE.key("acme", "order-17"));
    private final AliasedKey both =
            new AliasedKey(CHARGE.key("acme", "order-17"), List.of(CHARGE.key("acme", "cart-3")));
    private final AliasedKey cart = AliasedKey.of(CHARGE.key("acme", "cart-3"));

    @Test
    void aKeyNestedInItselfIsRefused() {
        assertNestingIsRefused(order, order);
    }

    @Test
    void aKeyNestedUnderItsAliasIsRefused() {
        assertNestingIsRefused(both, cart);
    }

    @Test
    void anAliasNestedUnderItsKeyIsRefused() {
        assertNestingIsRefused(cart, both);
    }

    @Test
    void anotherKeyMayBeNested() {
        Outcome<String> outcome =
                execute(order, run -> execute(cart, inner -> "inner").orElseThrow());

        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("inner", false));
    }

    private void assertNestingIsRefused(AliasedKey outer, AliasedKey inner) {
        Outcome<String> outcome =
                execute(outer, run -> execute(inner, nested -> "inner").orElseThrow());

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.cause())
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("nested in itself"));
    }

    private Outcome<String> execute(AliasedKey key, Work<String> work) {
        return protocol.execute(transaction, CHARGE, key, Fingerprint.NONE, work);
    }

    /** A transaction that never undoes anything. */
    private static final class MemoryTransaction implements OpenTransaction {
        private final MemoryClaimStore store = new MemoryClaimStore();

        @Override
        public Optional<Verdict> acquire(Command command) {
            return Optional.of(store.apply(List.of(command)).get(0));
        }

        @Override
        public boolean settle(Command.Settle settlement) {
            return store.apply(List.of(settlement)).get(0) instanceof Verdict.Applied;
        }

        @Override
        public void undoWork() {}
    }
}
