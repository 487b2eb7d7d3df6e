// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import static dev.semel.servlet.App.header;
import static dev.semel.servlet.App.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.StalePolicy;
import dev.semel.http.ApiRules;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The filter with asynchronous servlets. */
class FilterAsyncTest {
    private static void isReplayed(App app, HttpResponse<String> first) {
        HttpResponse<String> again = app.post();
        assertThat(status(first)).isEqualTo("MISS");
        assertThat(status(again)).isEqualTo("HIT");
        assertThat(again.statusCode()).isEqualTo(first.statusCode());
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(header(again, "Idempotency-Replay-Form")).isEmpty();
        assertThat(app.runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void completingOnTheContainersThreadIsRecorded(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            AsyncContext context = request.startAsync();
            assertThat(request.getAsyncContext()).isSameAs(context);
            context.getResponse().getWriter().print("done");
            context.complete();
            assertThatIllegalStateException().isThrownBy(context::complete);
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.body()).isEqualTo("done");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noContainerThreadWaitsForTheEnd(Container container) throws Exception {
        CompletableFuture<AsyncContext> started = new CompletableFuture<>();
        CompletableFuture<Thread> starter = new CompletableFuture<>();
        try (App app = new App(container, (request, response) -> {
            starter.complete(Thread.currentThread());
            started.complete(request.startAsync());
        })) {
            CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(app::post);
            AsyncContext context = started.get(20, TimeUnit.SECONDS);
            Thread thread = starter.get(20, TimeUnit.SECONDS);
            await().until(() -> Arrays.stream(thread.getStackTrace())
                    .noneMatch(frame -> frame.getClassName().startsWith("dev.semel")));

            assertThat(status(app.post())).isEqualTo("IN_PROGRESS");
            context.getResponse().getOutputStream().print("done");
            context.complete();

            assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
            isReplayed(app, first.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnhandledTimeOutIs503AndReleasesTheKey(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setHeader("X-Half", "1");
            response.getWriter().print("half");
            request.startAsync().setTimeout(50);
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(503);
            assertThat(first.body()).contains("request-timed-out").doesNotContain("half");
            assertThat(header(first, "X-Half")).isEmpty();
            assertThat(status(first)).isEqualTo("MISS");
            assertThat(app.post().statusCode()).isEqualTo(503);
            assertThat(app.runs).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnhandledTimeOutIsParkedIfTheRouteRequiresIt(Container container) throws Exception {
        ApiRules rules = ApiRules.of("/orders/**");
        try (App app = new App(
                container,
                App.Setup.usual().withRules(rules.withTerms(rules.terms().withOnStale(StalePolicy.PARK))),
                (request, response) -> request.startAsync().setTimeout(50))) {
            assertThat(app.post().statusCode()).isEqualTo(503);
            HttpResponse<String> again = app.post();
            assertThat(again.statusCode()).isEqualTo(409);
            assertThat(again.body()).contains("outcome-unknown");
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerMayCompleteATimeOut(Container container) throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        try (App app = new App(container, (request, response) -> {
            AsyncContext context = request.startAsync();
            context.setTimeout(50);
            context.addListener(new Listening(events) {
                @Override
                public void onTimeout(AsyncEvent event) throws IOException {
                    events.add("timeout");
                    assertThat(event.getAsyncContext()).isSameAs(context);
                    ((HttpServletResponse) event.getAsyncContext().getResponse()).setStatus(410);
                    event.getAsyncContext().getResponse().getWriter().print("too late");
                    event.getAsyncContext().complete();
                }
            });
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(410);
            assertThat(first.body()).isEqualTo("too late");
            isReplayed(app, first);
            await().untilAsserted(() -> assertThat(events).containsExactly("timeout", "complete"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerMayDispatchATimeOut(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.setStatus(410);
                response.getWriter().print("too late");
                return;
            }
            AsyncContext context = request.startAsync();
            context.setTimeout(50);
            context.addListener(new Listening(new CopyOnWriteArrayList<>()) {
                @Override
                public void onTimeout(AsyncEvent event) {
                    event.getAsyncContext().dispatch();
                }
            });
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(410);
            assertThat(first.body()).isEqualTo("too late");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServletMayStartAgainAfterADispatch(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            if (request.getAttribute("round") == null) {
                request.setAttribute("round", 1);
                response.getWriter().print("one ");
                request.startAsync().dispatch();
            } else if (request.getAttribute("round").equals(1)) {
                request.setAttribute("round", 2);
                response.getWriter().print("two ");
                AsyncContext context = request.startAsync();
                context.start(context::dispatch);
            } else {
                response.getWriter().print(new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        })) {
            HttpResponse<String> first = app.post("text/plain", "body");
            assertThat(first.body()).isEqualTo("one two body");
            assertThat(app.post("text/plain", "body").body()).isEqualTo("one two body");
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionAfterStartingReleasesTheKey(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            request.startAsync();
            throw new IllegalStateException("no");
        })) {
            // Tomcat closes the connection without an answer, with and without the filter.
            String answer = container == Container.TOMCAT ? "" : "HTTP/1.1 500";
            assertThat(RawRequests.post(app.uri(), "/orders/1", "k-1")).startsWith(answer);
            assertThat(RawRequests.post(app.uri(), "/orders/1", "k-1")).startsWith(answer);
            assertThat(app.runs).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionAfterADispatchReleasesTheKey(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                throw new IllegalStateException("no");
            }
            request.startAsync().dispatch();
        })) {
            assertThat(app.post().statusCode()).isEqualTo(500);
            assertThat(app.post().statusCode()).isEqualTo(500);
            assertThat(app.runs).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutTheAsyncMappingADispatchedAnswerIsStreamed(Container container) throws Exception {
        try (App app = new App(
                container, App.Setup.usual().withTypes(EnumSet.of(DispatcherType.REQUEST)), (request, response) -> {
                    if (request.getDispatcherType() == DispatcherType.ASYNC) {
                        response.setStatus(201);
                        response.getWriter().print("done");
                    } else {
                        request.startAsync().dispatch();
                    }
                })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(first.body()).isEqualTo("done");
            await().untilAsserted(() -> {
                HttpResponse<String> again = app.post();
                assertThat(again.statusCode()).isEqualTo(201);
                assertThat(header(again, "Idempotency-Replay-Form")).isEqualTo("none");
            });
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nonBlockingReadersAndWritersWork(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            AsyncContext context = request.startAsync();
            ServletInputStream in = request.getInputStream();
            in.setReadListener(new ReadListener() {
                private final StringBuilder text = new StringBuilder();

                @Override
                public void onDataAvailable() throws IOException {
                    while (in.isReady() && !in.isFinished()) {
                        text.append((char) in.read());
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    response.getOutputStream().setWriteListener(new WriteListener() {
                        @Override
                        public void onWritePossible() throws IOException {
                            assertThat(response.getOutputStream().isReady()).isTrue();
                            response.getOutputStream().print("read " + text);
                            context.complete();
                        }

                        @Override
                        public void onError(Throwable failure) {
                            context.complete();
                        }
                    });
                }

                @Override
                public void onError(Throwable failure) {
                    context.complete();
                }
            });
        })) {
            assertThat(app.post("text/plain", "body").body()).isEqualTo("read body");
            assertThat(app.post("text/plain", "body").body()).isEqualTo("read body");
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatDisconnectsDuringAStreamDoesNotCancelTheRecord(Container container) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (App app = new App(container, (request, response) -> {
            response.setContentType("text/event-stream");
            response.getOutputStream().print("data: begun\n\n");
            response.flushBuffer();
            pass(gone);
            for (int i = 0; i < 5_000; i++) {
                response.getOutputStream().write(new byte[10_000]);
            }
        })) {
            Socket socket = RawRequests.open(app.uri(), "/orders/1", "k-1");
            while (socket.getInputStream().read() != ':') {
                // Wait until the headers start to arrive.
            }
            socket.setSoLinger(true, 0);
            socket.close();
            gone.countDown();
            await().untilAsserted(() -> assertThat(status(app.post())).isEqualTo("HIT"));
            assertThat(app.runs).hasValue(1);
        }
    }

    private static void pass(CountDownLatch gate) {
        try {
            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Records the events that it receives. */
    private static class Listening implements AsyncListener {
        private final List<String> events;

        Listening(List<String> events) {
            this.events = events;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            events.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            events.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            events.add("error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            events.add("start");
        }
    }
}
