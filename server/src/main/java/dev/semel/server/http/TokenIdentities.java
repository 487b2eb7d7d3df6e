// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.internal.Sha256;
import dev.semel.server.config.ApiToken;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Identities in production mode: the bearer token determines tenant, actor and role. Other headers are ignored, except that
 * a token with several tenants requires X-Organization-Id.
 */
final class TokenIdentities implements Identities {
    private static final String SCHEME = "bearer ";
    private static final int LONGEST = 1_024;

    private final LiveTokens tokens;
    private final String header;

    TokenIdentities(LiveTokens tokens) {
        this(tokens, "Authorization");
    }

    TokenIdentities(LiveTokens tokens, String header) {
        this.tokens = tokens;
        this.header = header;
    }

    @Override
    public void admit(HttpServerRequest request) {
        // Every client may connect. The token decides about each request.
    }

    @Override
    public Identity of(HttpServerRequest request) {
        List<String> headers = request.headers().getAll(header);
        if (headers.size() != 1 || !headers.get(0).toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw refused("Send exactly one header %s: Bearer <token>".formatted(header));
        }
        String token = headers.get(0).substring(SCHEME.length()).strip();
        if (token.isEmpty() || token.length() > LONGEST) {
            throw refused("The token must have 1 to %d characters".formatted(LONGEST));
        }
        ApiToken found = find(sha256(token));
        if (found == null) {
            throw refused("The token is unknown");
        }
        return new Identity(tenant(found, request), found.actor(), found.role());
    }

    /** The header is read for tokens with several tenants only. Otherwise a client could name a tenant of another token. */
    private static String tenant(ApiToken token, HttpServerRequest request) {
        if (!token.isChoosing()) {
            return token.tenants().get(0);
        }
        String tenant = OrganizationHeader.of(request)
                .orElseThrow(() -> ProblemDetail.field(
                                OrganizationHeader.NAME,
                                "The token has several tenants: the header %s is required"
                                        .formatted(OrganizationHeader.NAME))
                        .asException());
        if (!token.allows(tenant)) {
            throw ProblemDetail.of(
                            ProblemType.FORBIDDEN,
                            "The token does not have the tenant in the header %s".formatted(OrganizationHeader.NAME))
                    .asException();
        }
        return tenant;
    }

    /** Compares all tokens, so that the time reveals nothing about a match. */
    private @Nullable ApiToken find(byte[] digest) {
        ApiToken found = null;
        for (ApiToken token : tokens.current()) {
            if (token.matches(digest)) {
                found = token;
            }
        }
        return found;
    }

    private static byte[] sha256(String token) {
        return Sha256.of(token.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static ProblemException refused(String detail) {
        return ProblemDetail.of(ProblemType.UNAUTHENTICATED, detail)
                .with("WWW-Authenticate", "Bearer realm=\"semel\"")
                .asException();
    }
}
