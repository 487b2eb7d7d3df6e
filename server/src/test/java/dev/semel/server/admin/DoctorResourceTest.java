// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.doctor.Finding;
import dev.semel.server.http.HttpObserver;
import dev.semel.server.http.TestListener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several users who open the System screen while the doctor works. */
class DoctorResourceTest {
    @TempDir
    Path folder;

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private List<Finding> findings() {
        runs.incrementAndGet();
        working.countDown();
        try {
            assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return List.of();
    }

    @Test
    void theyShareOneRunAndHoldNoThread() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        HttpClient client = HttpClient.newHttpClient();
        try (TestListener listener = TestListener.start(
                folder, "", HttpObserver.NONE, vertx -> List.of(new DoctorResource(this::findings, workers)))) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:%d/v1/doctor".formatted(listener.port())))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            }
            assertThat(working.await(60, TimeUnit.SECONDS)).isTrue();
            workers.submit(() -> {}).get(60, TimeUnit.SECONDS);
            end.countDown();

            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("{\"findings\":[]}");
            }
            assertThat(runs).hasValue(1);
        } finally {
            workers.shutdownNow();
        }
    }
}
