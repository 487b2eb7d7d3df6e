// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import static dev.semel.servlet.App.header;
import static dev.semel.servlet.App.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.Semel;
import dev.semel.http.ApiRules;
import dev.semel.http.Attempt;
import dev.semel.http.KeyPolicy;
import dev.semel.memory.MemoryClaimStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.Part;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A protected request as the servlet receives it. */
class FilterRequestTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @ParameterizedTest
    @EnumSource
    void theBodyCanBeReadAsAStream(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            assertThat(request.getInputStream()).isSameAs(request.getInputStream());
            response.getOutputStream().write(request.getInputStream().readAllBytes());
            assertThat(request.getInputStream().isFinished()).isTrue();
            assertThatIllegalStateException().isThrownBy(request::getReader);
        })) {
            assertThat(app.post("text/plain", "héllo").body()).isEqualTo("héllo");
            assertThat(app.post("text/plain", "héllo").body()).isEqualTo("héllo");
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBodyCanBeReadAsCharacters(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            response.setContentType("text/plain;charset=utf-8");
            response.getWriter().write(request.getReader().readLine() + " " + request.getCharacterEncoding());
            assertThatIllegalStateException().isThrownBy(request::getInputStream);
        })) {
            assertThat(app.post("text/plain;charset=UTF-8", "héllo").body()).isEqualToIgnoringCase("héllo utf-8");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theEncodingMayBeSetBeforeReading(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            request.setCharacterEncoding("UTF-8");
            response.setCharacterEncoding("UTF-8");
            response.getWriter().write(request.getReader().readLine());
        })) {
            assertThat(app.post("text/plain", "héllo").body()).isEqualTo("héllo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void formFieldsFollowQueryParameters(Container container) throws Exception {
        try (App app = new App(container, (request, response) -> {
            Map<String, List<String>> all = new TreeMap<>();
            request.getParameterMap().forEach((name, values) -> all.put(name, Arrays.asList(values)));
            response.setContentType("text/plain;charset=utf-8");
            response.getWriter().print(all + " " + request.getParameter("a") + " " + request.getParameter("none"));
        })) {
            assertThat(app.send(app.request("/orders/1?a=1&q=x", FORM, "a=2&b=h%C3%A9+llo&a=3&c&bad=%zz"))
                            .body())
                    .isEqualTo("{a=[1, 2, 3], b=[hé llo], c=[], q=[x]} 1 null");
        }
    }

    @ParameterizedTest
    @EnumSource
    void multipartCanBeReadAsPartsAndParameters(Container container) throws Exception {
        String body = """
                preamble\r
                --x y\r
                Content-Disposition: form-data; name="note"\r
                \r
                héllo\r
                --x y\r
                Content-Disposition: form-data; name="file"; filename="a;\\"b.txt"\r
                Content-Type: text/odd\r
                X-More: 1\r
                \r
                --not the end\r
                \r
                --x y--\r
                """;
        try (App app = new App(container, (request, response) -> {
            List<String> seen = new ArrayList<>();
            for (Part part : request.getParts()) {
                seen.add(part.getName() + " " + part.getSubmittedFileName() + " " + part.getContentType() + " "
                        + part.getSize() + " " + part.getHeader("x-more") + " "
                        + new String(part.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
            response.setContentType("text/plain;charset=utf-8");
            response.getWriter()
                    .print(seen + " " + request.getParameter("note") + " " + request.getParameter("file") + " "
                            + (request.getPart("none") == null));
        })) {
            HttpResponse<String> first = app.post("multipart/form-data; boundary=\"x y\"", body);
            assertThat(first.body())
                    .isEqualTo(
                            "[note null null 6 null héllo, file a;\"b.txt text/odd 15 1 --not the end\r\n] héllo null true");
            assertThat(app.post("multipart/form-data; boundary=\"x y\"", body).body())
                    .isEqualTo(first.body());
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAttemptIsAnAttribute(Container container) throws Exception {
        List<Attempt> attempts = new CopyOnWriteArrayList<>();
        try (App app = new App(container, (request, response) -> {
            attempts.add((Attempt) request.getAttribute(IdempotencyFilter.ATTEMPT));
            response.setStatus(503);
        })) {
            app.post();
            app.post();
            assertThat(attempts).extracting(Attempt::number).containsExactly(1, 2);
            assertThat(attempts.get(1).childKey()).isEqualTo(attempts.get(0).childKey());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatPassesThroughIsNotWrapped(Container container) throws Exception {
        try (App app = new App(
                container,
                App.Setup.usual().withRules(ApiRules.of("/orders/**").withKey(KeyPolicy.OPTIONAL)),
                (request, response) -> response.getWriter()
                        .print(request.getClass().getPackageName() + " "
                                + response.getClass().getPackageName()))) {
            assertThat(app.post().body()).isEqualTo("dev.semel.servlet dev.semel.servlet");
            assertThat(app.send(app.request("/free", "text/plain", "")).body()).doesNotContain("semel");
            assertThat(app.send(app.request("/orders/1", "text/plain", "").GET())
                            .body())
                    .doesNotContain("semel");
            assertThat(app.send(HttpRequest.newBuilder(URI.create(app.uri() + "/orders/1"))
                                    .POST(HttpRequest.BodyPublishers.noBody()))
                            .body())
                    .doesNotContain("semel");
        }
    }

    @ParameterizedTest
    @EnumSource
    void routesAreInsideTheContextPath(Container container) throws Exception {
        try (App app = new App(
                container,
                App.Setup.usual().withContextPath("/shop"),
                (request, response) -> response.getWriter().print("run"))) {
            assertThat(status(app.post())).isEqualTo("MISS");
            assertThat(status(app.post())).isEqualTo("HIT");
            assertThat(status(app.send(app.request("/other", "text/plain", ""))))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatAnotherFilterHasReadIsAnError(Container container) throws Exception {
        try (App app = new App(
                container,
                App.Setup.usual().withMore(context -> {
                    FilterRegistration.Dynamic early = context.addFilter("early", (request, response, chain) -> {
                        request.getParameter("a");
                        chain.doFilter(request, response);
                    });
                    early.setAsyncSupported(true);
                    early.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
                }),
                (request, response) -> response.getWriter().print("run"))) {
            assertThat(app.post(FORM, "a=1").statusCode()).isEqualTo(500);
            assertThat(app.post("text/plain", "a=1").statusCode()).isEqualTo(200);
            assertThat(app.runs).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theMaximumBodySizeCanBeSet(Container container) throws Exception {
        try (App app = new App(
                container,
                App.Setup.usual().withFilter(builder -> builder.maxBodyBytes(3)),
                (request, response) -> response.getWriter().print("run"))) {
            HttpResponse<String> refused = app.post("text/plain", "1234");
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(header(refused, "Content-Type")).isEqualTo("application/problem+json");
            assertThat(refused.body()).contains("body-too-large").contains("3 bytes");
            assertThat(app.post("text/plain", "123").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tenantsAndActorsAreIsolated(Container container) throws Exception {
        try (App app = new App(
                container,
                App.Setup.usual()
                        .withFilter(builder -> builder.tenant(request -> request.getHeader("X-Tenant"))
                                .actor(request -> request.getHeader("X-Actor"))),
                (request, response) -> response.getWriter().print(request.getHeader("X-Tenant")))) {
            for (String tenant : List.of("a", "b", "a", "b")) {
                assertThat(app.send(app.request("/orders/1", "text/plain", "")
                                        .header("X-Tenant", tenant)
                                        .header("X-Actor", "x"))
                                .body())
                        .isEqualTo(tenant);
            }
            assertThat(app.runs).hasValue(2);
        }
    }

    @Test
    void settingsAreChecked() {
        try (Semel semel = Semel.on(new MemoryClaimStore(InstantSource.system()))
                .secrets(App.SECRETS)
                .withoutSweep()
                .build()) {
            IdempotencyFilterBuilder builder = IdempotencyFilter.on(semel);
            assertThatIllegalStateException().isThrownBy(builder::build);
            assertThatIllegalArgumentException().isThrownBy(() -> builder.maxBodyBytes(-1));
            assertThatIllegalArgumentException().isThrownBy(() -> builder.maxBodyBytes((8 << 20) + 1));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Route.of("/orders").withMethods());
            assertThat(Route.of("/orders").methods()).containsExactlyInAnyOrder("POST", "PATCH");
        }
    }

    /** The answer does not wait for a body that may never arrive. */
    @ParameterizedTest
    @EnumSource
    void aClientThatAnnouncesTooMuchAndWaitsIsAnswered(Container container) throws Exception {
        try (App app = new App(
                        container,
                        App.Setup.usual().withFilter(builder -> builder.maxBodyBytes(3)),
                        (request, response) -> response.getWriter().print("run"));
                Socket client = new Socket(app.uri().getHost(), app.uri().getPort())) {
            client.setSoTimeout(20_000);
            client.getOutputStream()
                    .write("POST /orders/1 HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\nContent-Length: 1000\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));

            byte[] start = client.getInputStream().readNBytes("HTTP/1.1 413".length());

            assertThat(new String(start, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
            assertThat(app.runs).hasValue(0);
        }
    }
}
