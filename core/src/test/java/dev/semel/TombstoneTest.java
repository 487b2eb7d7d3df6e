// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class TombstoneTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void aResultThatCannotBeEncodedDoesNotRunAgain() {
        Operation<String> unwritable = Operation.of("card.charge", new BrokenCodec());
        Outcome<String> tombstone = new Outcome.Tombstone<>("the result could not be encoded: java.io.IOException");

        assertThat(engine.execute(unwritable, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.execute(unwritable, work)).isEqualTo(tombstone);
        assertThat(engine.execute(CHARGE, work)).isEqualTo(tombstone);
        assertThat(runs).hasValue(1);
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void aResultThatCannotBeDecodedDoesNotRunAgain() {
        Operation<String> unreadable = Operation.of("card.charge", new BrokenCodec());
        engine.execute(CHARGE, work);

        assertThat(engine.execute(unreadable, work))
                .isEqualTo(new Outcome.Tombstone<>("the stored result could not be decoded: java.io.IOException"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aSettlementWithoutAResultIsATombstone() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        TestEngine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null));

        assertThat(engine.semel.execute(CHARGE, KEY, work))
                .isEqualTo(new Outcome.Tombstone<>("it was settled without a result"));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aResultWhoseEncodingFailsWithAnErrorDoesNotRunAgain() {
        Operation<String> endless = Operation.of(
                "card.charge",
                Codec.of(
                        value -> {
                            throw new StackOverflowError();
                        },
                        StoredResult::text));

        assertThat(engine.execute(endless, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.execute(endless, work))
                .isEqualTo(new Outcome.Tombstone<>("the result could not be encoded: java.lang.StackOverflowError"));
    }

    private static final class BrokenCodec implements Codec<String> {
        @Override
        public StoredResult encode(String value) throws IOException {
            throw new IOException("cannot write " + value);
        }

        @Override
        public String decode(StoredResult stored) throws IOException {
            throw new IOException("cannot read " + stored);
        }
    }
}
