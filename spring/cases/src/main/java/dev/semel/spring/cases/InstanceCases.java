// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.NotDoneException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes over one database. */
public abstract class InstanceCases {
    private final RunningShop first = SharedShop.get();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    @Test
    void twoInstancesActAsOne() throws Exception {
        try (RunningShop second = RunningShop.start(SharedShop.database())) {
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                RunningShop instance = i % 2 == 0 ? first : second;
                String id = "i-" + i / 4;
                calls.add(CompletableFuture.runAsync(
                        () -> {
                            assertThat(instance.shop().once(id)).isEqualTo("done " + id);
                            assertThat(instance.shop().join("j" + id)).isNotEmpty();
                        },
                        task -> new Thread(task).start()));
            }
            for (CompletableFuture<Void> call : calls) {
                call.get(60, TimeUnit.SECONDS);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(first.shop().runs("i-" + i) + second.shop().runs("i-" + i))
                        .isEqualTo(1);
                assertThat(SharedShop.database().orders("ji-" + i)).isEqualTo(1);
            }

            String http = Call.text(
                    Call.to(first, "/payments", "{\"amount\": 1}").key("i").send());
            assertThat(Call.text(Call.to(second, "/payments", "{\"amount\": 1}")
                            .key("i")
                            .send()))
                    .isEqualTo(http);
            closingWaitsForRunningCalls(second);
        }
    }

    /** The call of a plain thread, such as one of a scheduler. */
    private void closingWaitsForRunningCalls(RunningShop second) throws Exception {
        Shop shop = second.shop();
        CompletableFuture<String> call = inThread(() -> shop.blocksWhileClosing("i-closing"));
        Awaitility.await().until(() -> shop.runs("i-closing") == 1);
        CompletableFuture<String> close = inThread(() -> {
            second.close();
            return "closed";
        });
        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> shop.once("i-late"))
                        .isInstanceOf(NotDoneException.Unavailable.class)
                        .hasMessageContaining("the engine is closing"));
        String lease = leaseOfClosing();
        Awaitility.await().until(() -> !leaseOfClosing().equals(lease));
        assertThat(close).isNotDone();
        shop.gate().release();

        assertThat(call.get()).isEqualTo("done i-closing");
        assertThat(close.get()).isEqualTo("closed");
        assertThat(first.shop().blocksWhileClosing("i-closing")).isEqualTo("done i-closing");
        assertThat(first.shop().runs("i-closing") + first.shop().runs("i-late")).isZero();
    }

    private static String leaseOfClosing() {
        return SharedShop.database()
                .single("SELECT lease_until::text FROM idempotency_keys WHERE scope = 'orders.closing'");
    }

    private static CompletableFuture<String> inThread(Callable<String> call) {
        CompletableFuture<String> returned = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        returned.complete(call.call());
                    } catch (Throwable e) {
                        returned.completeExceptionally(e);
                    }
                })
                .start();
        return returned;
    }

    @Test
    void killedProcessAndItsSuccessorSendTheSameChildKey() throws Exception {
        Process child = startDyingCharge("i-killed");
        try {
            Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> {
                assertThat(child.isAlive()).isTrue();
                return SharedShop.database().count("bank_calls") == 1;
            });
        } finally {
            child.destroyForcibly().waitFor();
        }

        assertThat(first.shop().charge("i-killed", false)).isEqualTo("charged");
        assertThat(first.shop().charge("i-killed", false)).isEqualTo("charged");
        assertThat(SharedShop.database().count("bank_calls")).isEqualTo(2);
        assertThat(SharedShop.database().single("SELECT count(DISTINCT child_key) FROM bank_calls"))
                .isEqualTo("1");
    }

    private Process startDyingCharge(String id) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DyingCharge.class.getName(),
                id));
        command.addAll(RunningShop.properties(SharedShop.database()));
        File log = folder.resolve("child.log").toFile();
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }
}
