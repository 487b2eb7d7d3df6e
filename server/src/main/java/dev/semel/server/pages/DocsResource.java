// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import dev.semel.internal.Sha256;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Serves {@code GET /openapi.yaml}, {@code GET /docs} (also at {@code GET /}) and a page for every problem type. */
public final class DocsResource implements Resource {
    private static final String STYLE =
            "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#222;"
                    + "background:#fff}code,pre{font-family:ui-monospace,monospace;background:#f3f3f3;padding:.1em .3em}"
                    + "pre{padding:.8em;overflow:auto}td,th{text-align:left;padding:.2em .8em .2em 0;vertical-align:top}";

    private final byte[] openApi = resource("openapi.yaml");
    private final String docs =
            new String(resource("docs.html"), StandardCharsets.UTF_8).replace("@problems@", problemRows());
    private final Map<ProblemType, byte[]> problems = Stream.of(ProblemType.values())
            .collect(Collectors.toUnmodifiableMap(type -> type, type -> page(type.title(), about(type))));
    private final String policy;

    public DocsResource() {
        this.policy =
                "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                        .formatted(sha256(STYLE));
    }

    @Override
    public void addTo(Routes routes) {
        routes.get(
                "/openapi.yaml",
                RouteAccess.OPEN,
                exchange -> CompletableFuture.completedStage(
                        new HttpAnswer(200, "application/yaml", openApi, Map.of(), true)));
        routes.get("/", RouteAccess.OPEN, this::docs);
        routes.get("/docs", RouteAccess.OPEN, this::docs);
        routes.get(
                "/docs/problems/{name}",
                RouteAccess.OPEN,
                exchange -> ProblemType.ofSlug(exchange.path("name"))
                        .map(type -> html(Objects.requireNonNull(problems.get(type))))
                        .orElseThrow(() -> ProblemDetail.of(ProblemType.NOT_FOUND, "No such problem type; see /docs")
                                .asException()));
    }

    /** The commands on the page work as they are: they contain the port of the request. */
    private CompletionStage<HttpAnswer> docs(RequestContext context) {
        int port = context.request().localAddress().port();
        return html(page("Semel", docs.replace("@port@", Integer.toString(port))));
    }

    private CompletionStage<HttpAnswer> html(byte[] page) {
        return CompletableFuture.completedStage(new HttpAnswer(200, "text/html; charset=utf-8", page, Map.of(), true)
                .with("Content-Security-Policy", policy)
                .with("Referrer-Policy", "no-referrer"));
    }

    private static String about(ProblemType type) {
        return "<h1>%s</h1><p><code>%s</code>, HTTP %d</p><p>%s</p><p><a href=\"/docs\">API documentation</a></p>"
                .formatted(escaped(type.title()), type.url(), type.status(), escaped(type.explanation()));
    }

    private static String problemRows() {
        return Stream.of(ProblemType.values())
                .map(type -> "<tr><td>%d</td><td><a href=\"%s\">%s</a></td><td>%s</td></tr>"
                        .formatted(type.status(), type.url(), type.slug(), escaped(type.title())))
                .collect(Collectors.joining("\n"));
    }

    private static byte[] page(String title, String body) {
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>%s</title>
                <meta name="viewport" content="width=device-width"><style>%s</style></head>
                <body>%s</body></html>
                """.formatted(escaped(title), STYLE, body).getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static byte[] resource(String name) {
        try (InputStream in = DocsResource.class.getResourceAsStream("/dev/semel/server/" + name)) {
            return Objects.requireNonNull(in, () -> name + " is missing in the jar")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256(String text) {
        return Base64.getEncoder().encodeToString(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
