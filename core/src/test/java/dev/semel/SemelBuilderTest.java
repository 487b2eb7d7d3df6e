// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class SemelBuilderTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");

    private final SemelBuilder builder = Semel.on(new MemoryClaimStore());

    @Test
    void hasDefaults() {
        assertThat(builder.storeTimeout).isEqualTo(Duration.ofSeconds(5));
        assertThat(builder.storeThreads).isEqualTo(8);
        assertThat(builder.sweepInterval).contains(Duration.ofHours(1));
        assertThat(builder.sweepBatch).isEqualTo(500);
        assertThat(builder.callbacks).isSameAs(ForkJoinPool.commonPool());
    }

    @Test
    void worksWithADefaultListener() {
        try (Semel semel = builder.secrets(Secrets.of(SECRET)).build()) {
            assertThat(semel.execute(TestEngine.CHARGE, TestEngine.KEY, run -> "receipt")
                            .orElseThrow())
                    .isEqualTo("receipt");
        }
    }

    @Test
    void keepsWhatWasSet() {
        RecordedEvents journal = new RecordedEvents();
        Executor executor = Runnable::run;

        SemelBuilder set = builder.secrets(Secrets.of(SECRET))
                .listener(journal)
                .callbackExecutor(executor)
                .storeTimeout(Duration.ofNanos(1))
                .storeThreads(1)
                .sweepEvery(Duration.ofNanos(1))
                .sweepBatch(1);

        assertThat(set).isSameAs(builder);
        assertThat(set.secrets).extracting(Secrets::current).isSameAs(SECRET);
        assertThat(set.listeners).containsExactly(journal);
        assertThat(set.callbacks).isSameAs(executor);
        assertThat(set.storeTimeout).isEqualTo(Duration.ofNanos(1));
        assertThat(set.storeThreads).isEqualTo(1);
        assertThat(set.sweepInterval).contains(Duration.ofNanos(1));
        assertThat(set.sweepBatch).isEqualTo(1);
        assertThat(set.withoutSweep()).isSameAs(builder);
        assertThat(set.sweepInterval).isEmpty();
    }

    @Test
    void saysHowToGetASecretIfThereIsNone() {
        assertThatIllegalStateException()
                .isThrownBy(builder::build)
                .withMessage(
                        "Semel needs a secret of at least 32 bytes: call secrets(Secrets.of(...)) with one that every"
                                + " process sharing this store has; make it with `openssl rand -hex 32`");
    }

    @Test
    void refusesValuesThatAreNotPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.storeTimeout(Duration.ZERO))
                .withMessage("The store's timeout must be positive, but is PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.sweepEvery(Duration.ofSeconds(-1)))
                .withMessage("The sweep's interval must be positive, but is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.storeThreads(0))
                .withMessage("The number of store threads must be positive, but is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.sweepBatch(-1))
                .withMessage("The sweep's batch must be positive, but is -1");
    }

    @Test
    void refusesNulls() {
        assertThatNullPointerException()
                .isThrownBy(() -> Semel.on(Missing.value()))
                .withMessage("A store must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.listener(Missing.value()))
                .withMessage("A listener must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.callbackExecutor(Missing.value()))
                .withMessage("An executor must not be null");
    }
}
