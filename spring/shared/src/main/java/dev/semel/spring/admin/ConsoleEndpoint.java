// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.admin;

import dev.semel.console.ConsoleFile;
import dev.semel.console.ConsoleFiles;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Mounts the console's files in Spring MVC. As the API, it is served to authenticated users only. */
final class ConsoleEndpoint {
    private final ConsoleFiles files = ConsoleFiles.load();
    private final String root;

    /** @param root the console's path, without a slash at the end */
    ConsoleEndpoint(String root) {
        this.root = root;
    }

    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                // Relative, so that it is also right below a context path.
                .GET(
                        root,
                        request -> ServerResponse.status(HttpStatus.PERMANENT_REDIRECT)
                                .header("Location", "console/")
                                .build())
                .GET(root + "/", request -> answer(request, Optional.of(files.page())))
                .GET(root + "/{file}", request -> answer(request, files.find(request.pathVariable("file"))))
                .build();
    }

    private static ServerResponse answer(ServerRequest request, Optional<ConsoleFile> found) {
        if (request.principal().isEmpty()) {
            return ServerResponse.status(HttpStatus.UNAUTHORIZED)
                    .contentType(MediaType.TEXT_PLAIN)
                    .body("The console serves authenticated users of the application only: protect its path with the"
                            + " application's security");
        }
        if (found.isEmpty()) {
            return ServerResponse.notFound().build();
        }
        ConsoleFile file = found.get();
        boolean known = Optional.ofNullable(request.headers().firstHeader("If-None-Match"))
                .filter(file::matches)
                .isPresent();
        ServerResponse.BodyBuilder response = ServerResponse.status(known ? HttpStatus.NOT_MODIFIED : HttpStatus.OK);
        file.headers().forEach(response::header);
        return known
                ? response.build()
                : response.contentType(MediaType.parseMediaType(file.contentType()))
                        .body(file.content());
    }
}
