// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

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
    @SuppressWarnings("unchecked") // A codec of values that are never null.
    void nullIsAResultThatNoCodecSees() {
        Codec<@Nullable String> text = (Codec<@Nullable String>) (Codec<?>) Codec.text();
        Operation<@Nullable String> lookup = Operation.of("lookup", text);

        Outcome<@Nullable String> first = engine.semel.execute(lookup, lookup.key("acme", "1"), run -> null);
        Outcome<@Nullable String> second = engine.semel.execute(lookup, lookup.key("acme", "1"), run -> "ran again");

        assertThat(first).isEqualTo(new Outcome.Succeeded<@Nullable String>(null, false));
        assertThat(second).isEqualTo(new Outcome.Succeeded<@Nullable String>(null, true));
        assertThat(second.orElseThrow()).isNull();
    }
}
