// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.StoredResult;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
@SuppressWarnings("NullAway") // It does not look into type arguments.
class NullResultTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void workWithoutAResultIsReplayed() {
        Operation<@Nullable Void> notify = Operation.of("notify", Codec.nothing());
        Work<@Nullable Void> silent = run -> {
            runs.incrementAndGet();
            return null;
        };

        assertThat(engine.semel.execute(notify, notify.key("acme", "1"), silent))
                .isEqualTo(new Outcome.Succeeded<@Nullable Void>(null, false));
        assertThat(engine.semel.execute(notify, notify.key("acme", "1"), silent))
                .isEqualTo(new Outcome.Succeeded<@Nullable Void>(null, true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void nullIsAResult() {
        Codec<@Nullable String> nullable = Codec.of(
                value -> new StoredResult("test/nullable", value == null ? new byte[0] : new byte[] {1}),
                stored -> stored.size() == 0 ? null : "something");
        Operation<@Nullable String> lookup = Operation.of("lookup", nullable);

        Outcome<@Nullable String> first = engine.semel.execute(lookup, lookup.key("acme", "1"), run -> null);
        Outcome<@Nullable String> second = engine.semel.execute(lookup, lookup.key("acme", "1"), run -> "ran again");

        assertThat(first).isEqualTo(new Outcome.Succeeded<@Nullable String>(null, false));
        assertThat(second).isEqualTo(new Outcome.Succeeded<@Nullable String>(null, true));
    }
}
