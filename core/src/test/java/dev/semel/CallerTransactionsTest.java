// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CallerTransactionsTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private final Transactions transactions = new Transactions();

    @AutoClose
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of(SECRET))
            .callerTransactions(transactions)
            .build();

    @AutoClose
    private final Semel without =
            Semel.on(new MemoryClaimStore()).secrets(Secrets.of(SECRET)).build();

    /** A framework whose transactions the test opens. */
    private static final class Transactions implements CallerTransactions {
        private boolean active;
        private final List<String> joined = new ArrayList<>();

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public <T extends @Nullable Object> Outcome<T> execute(
                Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
            joined.add(key.key().key());
            return new Outcome.Unavailable<>("joined", null);
        }
    }

    @Test
    void insideATransactionTheOperationIsRefusedWithTheFix() {
        transactions.active = true;

        assertThatIllegalStateException()
                .isThrownBy(() -> semel.execute(CHARGE, KEY, run -> "never"))
                .withMessageContainingAll("card.charge", "joinTransaction()", "outsideTransaction()");
        assertThatIllegalStateException()
                .isThrownBy(() -> semel.executeAsync(CHARGE, KEY, run -> CompletableFuture.completedFuture("never")));
        assertThatIllegalStateException()
                .isThrownBy(() -> semel.executeOnCaller(
                        CHARGE, KEY, Fingerprint.NONE, run -> CompletableFuture.completedFuture("never")));

        transactions.active = false;
        assertThat(semel.execute(CHARGE, KEY, run -> "ran")).isEqualTo(new Outcome.Succeeded<>("ran", false));
    }

    @Test
    void outsideTransactionRunsAnyway() {
        transactions.active = true;

        assertThat(semel.execute(CHARGE.outsideTransaction(), KEY, run -> "ran").orElseThrow())
                .isEqualTo("ran");
    }

    @Test
    void joinTransactionPassesTheWorkToTheTransactions() {
        Operation<String> joining = CHARGE.joinTransaction();

        assertThat(semel.execute(joining, KEY, run -> "ran")).isEqualTo(new Outcome.Unavailable<>("joined", null));
        assertThat(transactions.joined).containsExactly(KEY.key());
        assertThatIllegalStateException()
                .isThrownBy(() -> semel.executeAsync(joining, KEY, run -> CompletableFuture.completedFuture("never")))
                .withMessageContaining("belongs to one thread");
        assertThatIllegalStateException()
                .isThrownBy(() -> without.execute(joining, KEY, run -> "never"))
                .withMessageContaining("callerTransactions(...)");
    }
}
