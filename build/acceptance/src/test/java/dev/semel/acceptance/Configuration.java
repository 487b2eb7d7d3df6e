// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A {@code semel.yml} with many tenants and sites. Each test takes unused ones, so that tests can share a server.
 */
final class Configuration {

    /** A tenant with a token for each role. */
    record Tenant(String name, String client, String viewer, String operator) {
        /** In production every tenant is also a site, because a token reads the calls of the site with its tenant's name. */
        Site site() {
            return new Site(name, "site-" + operator);
        }
    }

    /** A site and the secret of its calls. */
    record Site(String id, String secret) {}

    private static final int TENANTS = 250;
    private static final int SITES = 250;

    private final boolean production;
    private final List<Tenant> tenants = new ArrayList<>();
    private final List<Site> signing = new ArrayList<>();
    private final List<Site> open = new ArrayList<>();
    private final AtomicInteger nextTenant = new AtomicInteger();
    private final AtomicInteger nextSigning = new AtomicInteger();
    private final AtomicInteger nextOpen = new AtomicInteger();
    private final Path file;

    private Configuration(String yaml) {
        this.production = false;
        this.file = Scratch.folder("config").resolve("semel.yml");
        save(yaml);
    }

    private Configuration(boolean production, String calls, String more) {
        this.production = production;
        this.file = Scratch.folder("config").resolve("semel.yml");
        for (int i = 0; i < TENANTS; i++) {
            tenants.add(new Tenant(
                    Marks.name("tenant"), Marks.text("client"), Marks.text("viewer"), Marks.text("operator")));
        }
        for (int i = 0; i < SITES; i++) {
            signing.add(new Site(Marks.name("site"), Marks.text("site-secret")));
            open.add(new Site(Marks.name("open"), Marks.text("site-secret")));
        }
        write(calls, more);
    }

    static Configuration development() {
        return new Configuration(false, "", WebhookSenders.YAML);
    }

    static Configuration production() {
        return new Configuration(true, "", WebhookSenders.YAML);
    }

    /** With webhooks that are forwarded, and nothing that needs SQL. */
    static Configuration claimsOnly() {
        return claimsOnly("");
    }

    /** The same with more lines at the top level. */
    static Configuration claimsOnly(String lines) {
        return new Configuration(WebhookSenders.FORWARDED_YAML + lines);
    }

    /** With more lines under {@code calls:}, each indented by two blanks. */
    static Configuration withCalls(String lines) {
        return new Configuration(false, lines, "");
    }

    /** With more lines at the top level. */
    static Configuration with(String lines) {
        return new Configuration(false, "", lines);
    }

    private void write(String calls, String more) {
        StringBuilder yaml = new StringBuilder();
        if (production) {
            yaml.append("tokens:\n");
            for (Tenant tenant : tenants) {
                token(yaml, tenant, tenant.client(), "client");
                token(yaml, tenant, tenant.viewer(), "viewer");
                token(yaml, tenant, tenant.operator(), "operator");
            }
        }
        yaml.append("calls:\n").append(calls).append("  sites:\n");
        signing.forEach(site -> site(yaml, site, "required"));
        open.forEach(site -> site(yaml, site, "off"));
        if (production) {
            tenants.forEach(tenant -> site(yaml, tenant.site(), "required"));
        }
        yaml.append(production ? forAllTenants(more) : more);
        save(yaml);
    }

    private void save(CharSequence yaml) {
        try {
            Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Production with several tenants requires the tenants of each webhook. */
    private String forAllTenants(String webhooks) {
        String names = String.join(", ", tenants.stream().map(Tenant::name).toList());
        return webhooks.replaceAll("(?m)^(  [a-z-]+: \\{)", "$1tenants: [" + names + "], ");
    }

    private static void token(StringBuilder yaml, Tenant tenant, String token, String role) {
        yaml.append("  - {sha256: \"%s\", tenant: %s, actor: suite, role: %s}%n"
                .formatted(sha256(token), tenant.name(), role));
    }

    private static void site(StringBuilder yaml, Site site, String signing) {
        yaml.append("    %s: {secret: \"%s\", signing: %s}%n".formatted(site.id(), site.secret(), signing));
    }

    static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    Path file() {
        return file;
    }

    boolean isProduction() {
        return production;
    }

    Tenant tenant() {
        return tenants.get(nextTenant.getAndIncrement());
    }

    /** A site whose calls must be signed. */
    Site signingSite() {
        return signing.get(nextSigning.getAndIncrement());
    }

    /** A site with {@code signing: off}. */
    Site openSite() {
        return open.get(nextOpen.getAndIncrement());
    }
}
