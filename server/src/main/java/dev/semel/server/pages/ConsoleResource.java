// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import dev.semel.console.ConsoleFile;
import dev.semel.console.ConsoleFiles;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.Pagination;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@code GET /console/}: the console's files. They contain no data, so everyone may read them. */
public final class ConsoleResource implements Resource {
    private static final String ROOT = "/console";

    private final ConsoleFiles files = ConsoleFiles.load();

    @Override
    public void addTo(Routes routes) {
        routes.get(ROOT, RouteAccess.OPEN, context -> redirect());
        routes.get(ROOT + "/", RouteAccess.OPEN, context -> answer(context, files.page()));
        routes.get(ROOT + "/{file}", RouteAccess.OPEN, context -> {
            Optional<ConsoleFile> file = files.find(context.path("file"));
            return answer(context, file.orElseThrow(Pagination::notFound));
        });
    }

    private static CompletionStage<HttpAnswer> redirect() {
        return CompletableFuture.completedStage(
                new HttpAnswer(308, "text/plain; charset=utf-8", new byte[0], Map.of("Location", ROOT + "/")));
    }

    private static CompletionStage<HttpAnswer> answer(RequestContext context, ConsoleFile file) {
        boolean known = context.header("If-None-Match").filter(file::matches).isPresent();
        return CompletableFuture.completedStage(new HttpAnswer(
                known ? 304 : 200, file.contentType(), known ? new byte[0] : file.content(), file.headers(), true));
    }
}
