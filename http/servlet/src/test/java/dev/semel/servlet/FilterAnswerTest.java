// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import static dev.semel.servlet.App.header;
import static dev.semel.servlet.App.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servlet's answer: what the client receives and what is stored. */
class FilterAnswerTest {
    private static void isReplayed(App app, HttpResponse<String> first) {
        HttpResponse<String> again = app.post();
        assertThat(status(first)).isEqualTo("MISS");
        assertThat(status(again)).isEqualTo("HIT");
        assertThat(again.statusCode()).isEqualTo(first.statusCode());
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(header(again, "Content-Type")).isEqualTo(header(first, "Content-Type"));
        assertThat(header(again, "Location")).isEqualTo(header(first, "Location"));
        assertThat(header(again, "Idempotency-Replay-Form")).isEmpty();
        assertThat(app.runs).hasValue(1);
    }

    private static void isNotStored(App app, HttpResponse<String> first) {
        HttpResponse<String> again = app.post();
        assertThat(status(first)).isEqualTo("MISS");
        assertThat(again.statusCode()).isEqualTo(first.statusCode());
        assertThat(again.body()).isEmpty();
        assertThat(header(again, "Idempotency-Replay-Form")).isEqualTo("none");
        assertThat(app.runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aWriterUsesTheTypesEncoding(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setContentType("text/plain; charset=iso-8859-1");
            response.getWriter().print("h\u00e9llo");
            response.setCharacterEncoding("utf-16");
            response.setContentType("text/html; charset=utf-16");
            assertThatIllegalStateException().isThrownBy(response::getOutputStream);
        })) {
            HttpResponse<String> first = app.post();
            assertThat(header(first, "Content-Type")).isEqualToIgnoringCase("text/html;charset=iso-8859-1");
            assertThat(first.body()).isEqualTo("h\u00e9llo");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriterSaysWhichEncodingItUsed(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setContentType("text/plain");
            response.getWriter().print("hello");
        })) {
            HttpResponse<String> first = app.post();
            assertThat(header(first, "Content-Type")).isEqualToIgnoringCase("text/plain;charset=iso-8859-1");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResetForgetsEverything(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setStatus(404);
            response.setHeader("X-Old", "1");
            response.getWriter().print("old");
            response.reset();
            response.setStatus(201);
            response.getOutputStream().print("dropped");
            response.resetBuffer();
            response.getOutputStream().print("new");
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(first.body()).isEqualTo("new");
            assertThat(header(first, "X-Old")).isEmpty();
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRedirectIsReplayed(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.getWriter().print("dropped");
            response.sendRedirect("/elsewhere?a=1");
            response.getWriter().print("dropped too");
            assertThat(response.isCommitted()).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> response.sendError(404));
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(302);
            assertThat(first.body()).isEmpty();
            assertThat(header(first, "Location")).endsWith("/elsewhere?a=1");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFinalErrorIsAProblemOfTheFilter(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.getWriter().print("dropped");
            response.sendError(404, "No such \"order\"");
            response.getWriter().print("dropped too");
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(404);
            assertThat(header(first, "Content-Type")).isEqualToIgnoringCase("application/problem+json;charset=utf-8");
            assertThat(first.body()).contains("No such \\\"order\\\"").doesNotContain("dropped");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anErrorThatReleasesTheKeyIsAnsweredByTheContainer(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> response.sendError(503, "Later, please"))) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(503);
            assertThat(status(first)).isEqualTo("MISS");
            assertThat(header(first, "Content-Type")).contains("text/html");
            assertThat(first.body()).contains("Later, please");
            app.post();
            assertThat(app.runs).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFlushAtTheEndDoesNotStream(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.getWriter().print("all of it");
            response.getWriter().flush();
            response.flushBuffer();
            response.getWriter().close();
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.body()).isEqualTo("all of it");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatIsFlushedBeforeTheEndIsStreamed(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setStatus(201);
            response.getOutputStream().print("begun, ");
            response.flushBuffer();
            response.getOutputStream().print("done");
            assertThat(response.isCommitted()).isTrue();
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(first.body()).isEqualTo("begun, done");
            isNotStored(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLargeAnswerIsStreamedWithItsLength(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setContentLength(20_000);
            for (int i = 0; i < 20; i++) {
                response.getOutputStream().write(new byte[1_000]);
            }
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.body()).hasSize(20_000);
            assertThat(header(first, "Content-Length")).isEqualTo("20000");
            isNotStored(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLengthIsThatOfTheBody(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setHeader("Content-Length", "5");
            response.setIntHeader("content-length", 5);
            response.getOutputStream().print("hello");
        })) {
            HttpResponse<String> first = app.post();
            assertThat(header(first, "Content-Length")).isEqualTo("5");
            isReplayed(app, first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void exceptionsReachTheContainerAndReleaseTheKey(Container container) throws Exception {
        List<Throwable> failures = List.of(
                new IOException("io"),
                new ServletException("servlet"),
                new IllegalStateException("unchecked"),
                new StackOverflowError());
        for (Throwable failure : failures) {
            AtomicBoolean failing = new AtomicBoolean(true);
            try (App app = new App(container, (request, response) -> {
                response.getWriter().print("half");
                if (failing.getAndSet(false)) {
                    if (failure instanceof Error error) {
                        throw error;
                    } else if (failure instanceof IOException io) {
                        throw io;
                    } else if (failure instanceof ServletException servlet) {
                        throw servlet;
                    }
                    throw (RuntimeException) failure;
                }
            })) {
                HttpResponse<String> first = app.post();
                assertThat(first.statusCode()).isEqualTo(500);
                assertThat(first.body()).doesNotContain("half");
                HttpResponse<String> second = app.post();
                assertThat(status(second)).isEqualTo("MISS");
                assertThat(second.body()).isEqualTo("half");
                assertThat(app.runs).hasValue(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatCannotBeStoredIndicatesIt(Container container) throws Exception {
        Breaking store = new Breaking();
        try (App app = new App(container, App.Setup.usual().withStore(store), (request, response) -> {
            store.broken.set(true);
            response.getWriter().print("done");
        })) {
            HttpResponse<String> first = app.post();
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("done");
            assertThat(header(first, "Idempotency-Recorded")).isEqualTo("false");
            HttpResponse<String> again = app.post();
            assertThat(again.statusCode()).isEqualTo(503);
            assertThat(header(again, "Retry-After")).isNotEmpty();
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void trailersReachTheFirstClientOnly(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setTrailerFields(() -> Map.of("X-Sum", "42"));
            response.getWriter().print("done");
        })) {
            assertThat(RawRequests.post(app.uri(), "/orders/1", "k-1"))
                    .contains("done")
                    .contains("X-Sum: 42");
            String again = RawRequests.post(app.uri(), "/orders/1", "k-1");
            assertThat(again).contains("done").contains("HIT").doesNotContain("X-Sum");
        }
    }

    /** A store that stops answering. */
    private static final class Breaking implements ClaimStore {
        final AtomicBoolean broken = new AtomicBoolean();
        private final MemoryClaimStore memory = new MemoryClaimStore(InstantSource.system());

        @Override
        public List<Verdict> apply(List<? extends Command> commands) {
            check();
            return memory.apply(commands);
        }

        @Override
        public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
            check();
            return memory.read(refs);
        }

        @Override
        public SweepReport sweep(int limit) {
            check();
            return memory.sweep(limit);
        }

        private void check() {
            if (broken.get()) {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "Broken", null);
            }
        }
    }
}
