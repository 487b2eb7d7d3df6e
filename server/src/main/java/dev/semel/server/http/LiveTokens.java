// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.ApiToken;
import java.util.List;

/** The API tokens that are valid now. They can be replaced while requests are served. */
public final class LiveTokens {
    private volatile List<ApiToken> tokens;

    public LiveTokens(List<ApiToken> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    List<ApiToken> current() {
        return tokens;
    }

    /** Uses these tokens from the next request on. */
    public void replace(List<ApiToken> next) {
        tokens = List.copyOf(next);
    }
}
