// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.security.MessageDigest;

/** An API token and the identity it authenticates. Only the token's digest is kept. */
public final class ApiToken {
    private final byte[] sha256;
    private final String tenant;
    private final String actor;
    private final Role role;

    ApiToken(byte[] sha256, String tenant, String actor, Role role) {
        this.sha256 = sha256.clone();
        this.tenant = tenant;
        this.actor = actor;
        this.role = role;
    }

    /** Returns whether this is the token's digest. Runs in constant time. */
    public boolean matches(byte[] digest) {
        return MessageDigest.isEqual(sha256, digest);
    }

    public String tenant() {
        return tenant;
    }

    public String actor() {
        return actor;
    }

    public Role role() {
        return role;
    }

    @Override
    public String toString() {
        return "ApiToken[tenant=%s, actor=%s, role=%s]".formatted(tenant, actor, role);
    }
}
