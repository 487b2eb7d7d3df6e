// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Responses that another thread's answer leads to are made on the event loop of their request. */
class LoopedAnswerTest {
    private static final String GET = "GET /answer HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    @TempDir
    Path folder;

    @Test
    void anAnswerOfAnotherThreadContinuesOnTheLoop() throws Exception {
        responds("on the loop: true", context -> {
            CompletableFuture<String> later = new CompletableFuture<>();
            CompletionStage<HttpAnswer> answer = answer(context, later);
            new Thread(() -> later.complete("on the loop: ")).start();
            return answer;
        });
    }

    @Test
    void anAnswerThatIsKnownContinuesAtOnce() throws Exception {
        responds("on the loop: true", context -> {
            CompletionStage<HttpAnswer> answer = answer(context, CompletableFuture.completedFuture("on the loop: "));
            return answer.toCompletableFuture().isDone()
                    ? answer
                    : CompletableFuture.failedStage(new IllegalStateException("It waits for the loop"));
        });
    }

    @Test
    void aFailureOfAnotherThreadIsAnswered() throws Exception {
        responds("/docs/problems/busy", context -> {
            CompletableFuture<String> later = new CompletableFuture<>();
            CompletionStage<HttpAnswer> answer = answer(context, later);
            new Thread(() -> later.completeExceptionally(MemoryCharge.busy().asException())).start();
            return answer;
        });
    }

    private static CompletionStage<HttpAnswer> answer(RequestContext context, CompletionStage<String> text) {
        Thread loop = Thread.currentThread();
        return context.onLoop(text)
                .thenApply(found -> found + (Thread.currentThread() == loop))
                .thenApply(body ->
                        new HttpAnswer(200, "text/plain", body.getBytes(StandardCharsets.US_ASCII), Map.of(), false));
    }

    private void responds(String text, HttpRoute.PlainHandler handler) throws Exception {
        try (TestListener listener = TestListener.start(
                        folder,
                        "",
                        HttpObserver.NONE,
                        vertx -> List.of(routes -> routes.get("/answer", RouteAccess.USE, handler)));
                RawClient client = new RawClient(listener.port())) {
            client.send(GET).until(text);
        }
    }
}
