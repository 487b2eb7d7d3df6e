// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.security.MessageDigest;
import java.util.List;

/** An API token and the identity it authenticates. Only the token's digest is kept. */
public final class ApiToken {
    /** Stands for all tenants. */
    public static final String ALL = "*";

    private final byte[] sha256;
    private final List<String> tenants;
    private final boolean choosing;
    private final String actor;
    private final Role role;

    /** @param choosing whether each request names one of the tenants; otherwise there is one */
    ApiToken(byte[] sha256, List<String> tenants, boolean choosing, String actor, Role role) {
        this.sha256 = sha256.clone();
        this.tenants = List.copyOf(tenants);
        this.choosing = choosing;
        this.actor = actor;
        this.role = role;
    }

    /** Returns whether this is the token's digest. Runs in constant time. */
    public boolean matches(byte[] digest) {
        return MessageDigest.isEqual(sha256, digest);
    }

    /** Returns the tenants that it may act for; {@value #ALL} for all. */
    public List<String> tenants() {
        return tenants;
    }

    /** Returns whether each request names its tenant. Otherwise the token has exactly one. */
    public boolean isChoosing() {
        return choosing;
    }

    /** Returns whether it may act for this tenant. */
    public boolean allows(String tenant) {
        return tenants.contains(tenant) || tenants.contains(ALL);
    }

    public String actor() {
        return actor;
    }

    public Role role() {
        return role;
    }

    @Override
    public String toString() {
        return "ApiToken[tenants=%s, actor=%s, role=%s]".formatted(tenants, actor, role);
    }
}
