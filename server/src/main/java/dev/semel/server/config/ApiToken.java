// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.security.MessageDigest;

/** Whom a token stands for. Only its digest is known here. */
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

    /** Whether this is the digest of that token, in a time that does not depend on where they differ. */
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
