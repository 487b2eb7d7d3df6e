// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Function;

/**
 * Identities of requests to the proxy for routes that use Semel's own tokens. The Authorization header belongs to the
 * target service, so Semel's token is in a header of its own.
 */
public final class ProxyIdentities {
    private static final String HEADER = "Semel-Authorization";

    private ProxyIdentities() {}

    public static Function<HttpServerRequest, Identity> of(Settings settings, LiveTokens tokens) {
        Identities identities =
                settings.mode() == ServerMode.PRODUCTION ? new TokenIdentities(tokens, HEADER) : new LocalIdentities();
        return request -> {
            Identity identity = identities.of(request);
            if (!RouteAccess.USE.allows(identity.role())) {
                throw ProblemDetail.of(ProblemType.FORBIDDEN, "The token's role does not allow this request")
                        .asException();
            }
            return identity;
        };
    }
}
