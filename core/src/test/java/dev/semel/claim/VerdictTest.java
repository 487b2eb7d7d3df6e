// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final OwnerToken MINE = OwnerToken.random();
    private static final Command RENEW = new Command.Renew(ASnapshot.REF, MINE, Duration.ofMinutes(1));

    @Test
    void appliedWhereTheCommandHolds() {
        Snapshot mine = ASnapshot.that(Status.IN_PROGRESS).ownedBy(MINE).build();

        assertThat(Verdict.of(RENEW, mine))
                .isEqualTo(new Verdict.Applied(
                        mine.ref(), mine.scope(), mine.record(), mine.attempt(), mine.fence(), mine.leaseLeft()));
    }

    @Test
    void refusedWhereItDoesNot() {
        Snapshot another = ASnapshot.that(Status.IN_PROGRESS).build();

        assertThat(Verdict.of(RENEW, another)).isEqualTo(new Verdict.Refused(another));
    }

    @Test
    void refusedWhereThereIsNoClaim() {
        assertThat(Verdict.of(RENEW, null)).isEqualTo(new Verdict.Refused(null));
    }

    @Test
    void anErrorSaysWhatMayBeConcluded() {
        Throwable cause = new IllegalStateException("no connection");
        StoreException unreachable = new StoreException(StoreException.Kind.UNREACHABLE, "No answer", cause);

        assertThat(unreachable).hasMessage("No answer").hasCause(cause);
        assertThat(unreachable.kind()).isEqualTo(StoreException.Kind.UNREACHABLE);
        assertThat(new StoreException(StoreException.Kind.BUSY, "Locked")).hasNoCause();
    }
}
