// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.http.ApiRules;
import dev.semel.http.KeyPolicy;
import dev.semel.http.Profile;
import dev.semel.http.ReleasedStatuses;
import dev.semel.http.ReplayedHeaders;
import dev.semel.http.RoutePattern;
import dev.semel.payload.Keep;
import dev.semel.webhooks.WebhookGate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads {@code api.routes}. */
final class ApiRoutes {
    private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final Set<String> DEFAULT_METHODS = Set.of("POST", "PATCH");
    /** The base path of the server's problem pages. */
    private static final String PROBLEMS = "/docs/problems/";

    private static final int MAX_ROUTES = 1_000;
    private static final int MAX_TARGETS = 64;

    /** Paths that the server itself handles. Nothing is served at /metrics and /console yet; they are reserved. */
    private static final List<String> OWN = List.of(
            "/v1",
            "/api/ledger",
            "/api/call-event",
            "/api/calls",
            "/webhooks",
            "/health",
            "/metrics",
            "/docs",
            "/openapi.yaml",
            "/console");

    private final Duration ttl;
    private final Duration longestTtl;

    private ApiRoutes(Duration ttl, Duration longestTtl) {
        this.ttl = ttl;
        this.longestTtl = longestTtl;
    }

    /** @param ttl default retention of responses */
    static List<ApiRoute> read(SettingsSection section, Duration ttl, Duration longestTtl) {
        ApiRoutes reader = new ApiRoutes(ttl, longestTtl);
        List<SettingsSection> sections = section.sections("routes");
        if (sections.size() > MAX_ROUTES) {
            throw new ConfigException(section.at("routes") + " has more than " + MAX_ROUTES + " entries");
        }
        List<ApiRoute> routes = new ArrayList<>();
        for (SettingsSection one : sections) {
            ApiRoute route = reader.route(one);
            for (ApiRoute before : routes) {
                if (before.pattern().covers(route.pattern())) {
                    throw new ConfigException(
                            ("%s is never used, because %s matches all of its requests; put the narrower"
                                            + " route first")
                                    .formatted(one.at("path"), before.pattern()));
                }
            }
            routes.add(route);
        }
        section.done();
        return routes;
    }

    private ApiRoute route(SettingsSection section) {
        RoutePattern pattern = pattern(section);
        ApiRoute route = new ApiRoute(
                pattern,
                methods(section),
                targets(section),
                rules(section, pattern),
                identity(section),
                section.value("connect_seconds")
                        .map(value -> value.seconds(1, 60))
                        .orElse(Duration.ofSeconds(5)),
                section.value("timeout_seconds")
                        .map(value -> value.seconds(1, 3_600))
                        .orElse(Duration.ofSeconds(60)),
                section.value("ca_file").map(ApiRoutes::readable));
        section.done();
        return route;
    }

    private static RoutePattern pattern(SettingsSection section) {
        SettingValue path = section.value("path")
                .orElseThrow(() -> new ConfigException(section.at("path") + " is required, such as /orders/**"));
        RoutePattern pattern;
        try {
            pattern = RoutePattern.of(path.text());
        } catch (IllegalArgumentException e) {
            throw path.wrong(String.valueOf(e.getMessage()));
        }
        for (String own : OWN) {
            if (pattern.overlaps(own)) {
                throw path.wrong("overlaps %s, which the server itself handles: choose another path".formatted(own));
            }
        }
        if (pattern.matches("/")) {
            throw path.wrong("overlaps /, which the server itself handles: choose another path");
        }
        return pattern;
    }

    private static Set<String> methods(SettingsSection section) {
        Set<String> methods = new LinkedHashSet<>();
        for (SettingValue value : section.valuesOf("methods")) {
            if (!METHODS.contains(value.text())) {
                throw value.wrong("must be POST, PUT, PATCH or DELETE: other methods need no protection");
            }
            methods.add(value.text());
        }
        return methods.isEmpty() ? DEFAULT_METHODS : methods;
    }

    private static List<URI> targets(SettingsSection section) {
        List<SettingValue> all = new ArrayList<>(section.valuesOf("targets"));
        section.value("target").ifPresent(all::add);
        if (all.isEmpty()) {
            throw new ConfigException(section.at("target") + " is required: the URL that requests are forwarded to");
        }
        if (all.size() > MAX_TARGETS) {
            throw new ConfigException(section.at("targets") + " has more than " + MAX_TARGETS + " entries");
        }
        return all.stream().map(ApiRoutes::target).toList();
    }

    private static URI target(SettingValue value) {
        URI url = value.url(List.of("http", "https"));
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            throw value.wrong("must have a port from 1 to 65535, or none");
        }
        if (url.getRawQuery() != null || url.getRawFragment() != null || url.getRawUserInfo() != null) {
            throw value.wrong("must be a URL without user, query and fragment, such as http://127.0.0.1:9000/base");
        }
        return url;
    }

    private ApiRules rules(SettingsSection section, RoutePattern pattern) {
        ApiRules rules = ApiRules.of(pattern.toString())
                .withKey(section.value("key")
                        .map(value -> value.oneOf(KeyPolicy.class))
                        .orElse(KeyPolicy.REQUIRED))
                .withProblemTypes(PROBLEMS)
                .withProfile(profile(section))
                .withStore(section.value("store")
                        .map(value -> value.oneOf(Keep.class))
                        .orElse(Keep.SEALED))
                .withReleased(released(section))
                .withReplayed(replayed(section))
                .withLongestWait(section.value("wait_seconds")
                        .map(value -> value.seconds(0, 600))
                        .orElse(Duration.ofSeconds(30)))
                .withMaxAnswerBytes(section.value("answer_bytes")
                        .map(value -> value.whole(0, ApiRules.LARGEST_ANSWER))
                        .orElse(1 << 20));
        Duration kept = section.value("ttl_hours")
                .map(value -> TtlSettings.hours(value, longestTtl))
                .orElse(ttl);
        StalePolicy onStale = section.value("on_stale")
                .map(value -> value.oneOf(OnStale.class).policy)
                .orElse(StalePolicy.RERUN);
        Terms terms = rules.terms().withTtl(kept).withOnStale(onStale);
        return rules.withTerms(section.value("lease_seconds")
                .map(value -> terms.withLease(value.seconds(1, 3_600)).withMaxRun(terms.maxRun()))
                .orElse(terms));
    }

    private static Profile profile(SettingsSection section) {
        Profile profile = section.value("profile")
                .map(value -> switch (value.text()) {
                    // The old name, seed, is still accepted.
                    case "accepted", "seed" -> Profile.ACCEPTED;
                    case "ietf" -> Profile.IETF;
                    default -> throw value.wrong("must be accepted or ietf");
                })
                .orElse(Profile.ACCEPTED);
        Optional<SettingValue> inProgress = section.value("in_progress_status");
        if (inProgress.isPresent()) {
            int status = inProgress.get().whole(202, 599);
            if (status > 202 && status < 400) {
                throw inProgress.get().wrong("must be 202, or an error from 400 to 599");
            }
            profile = profile.withInProgress(status);
        }
        Optional<SettingValue> mismatch = section.value("mismatch_status");
        if (mismatch.isPresent()) {
            profile = profile.withMismatch(mismatch.get().whole(400, 499));
        }
        Optional<SettingValue> missing = section.value("missing_key_status");
        return missing.isPresent() ? profile.withMissing(missing.get().whole(400, 499)) : profile;
    }

    private static ReleasedStatuses released(SettingsSection section) {
        List<SettingValue> values = section.valuesOf("release");
        if (values.isEmpty()) {
            return ReleasedStatuses.DEFAULT;
        }
        Set<Integer> statuses = new LinkedHashSet<>();
        Set<Integer> classes = new LinkedHashSet<>();
        for (SettingValue value : values) {
            if (value.text().startsWith("2")) {
                throw value.wrong("must not be a success status: a request that took effect would be executed again");
            }
            if (value.text().matches("[3-5]xx")) {
                classes.add(value.text().charAt(0) - '0');
            } else if (value.text().matches("[3-5][0-9][0-9]")) {
                statuses.add(Integer.parseInt(value.text()));
            } else {
                throw value.wrong("must be a status such as 429, or a class such as 5xx");
            }
        }
        return new ReleasedStatuses(statuses, classes);
    }

    private static ReplayedHeaders replayed(SettingsSection section) {
        ReplayedHeaders replayed = ReplayedHeaders.DEFAULT;
        for (SettingValue value : section.valuesOf("replay_headers")) {
            if (!value.text().matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}")) {
                throw value.wrong("must be the name of a header, such as X-Request-Id");
            }
            try {
                replayed = replayed.and(List.of(value.text()));
            } catch (IllegalArgumentException e) {
                throw value.wrong("is never replayed: it belongs to one client or one connection");
            }
        }
        return replayed;
    }

    private static Optional<RouteIdentity> identity(SettingsSection section) {
        Optional<SettingValue> chosen = section.value("identity");
        Optional<SettingValue> tenant = section.value("tenant");
        Optional<SettingValue> tenantHeader = section.value("tenant_header");
        List<SettingValue> fronts = section.valuesOf("trusted_fronts");
        String text = chosen.map(SettingValue::text).orElse("");
        unused(tenant, text.equals("authorization"), "authorization");
        unused(tenantHeader, text.startsWith("header:"), "header:<name>");
        unused(fronts.stream().findFirst(), text.startsWith("header:"), "header:<name>");
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        if (text.equals("token")) {
            return Optional.of(new RouteIdentity.Token());
        }
        if (text.equals("authorization")) {
            return Optional.of(new RouteIdentity.Authorization(
                    tenant.map(ApiRoutes::tenant).orElse("default")));
        }
        if (!text.matches("header:[A-Za-z0-9-]{1,128}") || isTaken(text.substring("header:".length()))) {
            throw chosen.get().wrong("must be token, authorization or header:<name>, such as header:X-User-Id");
        }
        if (fronts.isEmpty()) {
            throw new ConfigException(section.at("trusted_fronts")
                    + " is required: with identity header:<name> it lists the addresses that may set"
                    + " the header, such as [10.0.0.0/8]; from other addresses clients could forge the"
                    + " header");
        }
        return Optional.of(new RouteIdentity.Header(
                text.substring("header:".length()),
                tenantHeader.map(ApiRoutes::headerName).orElse("X-Organization-Id"),
                fronts.stream().map(ApiRoutes::range).toList()));
    }

    private static void unused(Optional<SettingValue> value, boolean used, String identity) {
        if (value.isPresent() && !used) {
            throw value.get().wrong("requires identity: " + identity);
        }
    }

    private static String headerName(SettingValue value) {
        if (!value.text().matches("[A-Za-z0-9-]{1,128}") || isTaken(value.text())) {
            throw value.wrong("must be a header that has no other meaning, such as X-Organization-Id");
        }
        return value.text();
    }

    /** Returns whether the header has another meaning. */
    private static boolean isTaken(String name) {
        return Set.of(
                        "authorization",
                        "connection",
                        "content-length",
                        "content-type",
                        "host",
                        "idempotency-key",
                        "prefer")
                .contains(name.toLowerCase(Locale.ROOT));
    }

    private static String tenant(SettingValue value) {
        String name = value.required();
        if (name.equals(WebhookGate.RESERVED_TENANT)
                || name.length() > ClaimKey.MAX_TENANT
                || name.chars().anyMatch(Character::isISOControl)) {
            throw value.wrong("must have at most %d characters, no control characters, and must not be a reserved name"
                    .formatted(ClaimKey.MAX_TENANT));
        }
        return name;
    }

    private static AddressRange range(SettingValue value) {
        return AddressRange.of(value.text())
                .filter(range -> !range.containsAll())
                .orElseThrow(
                        () -> value.wrong("must be an address or a range, such as 10.0.0.0/8, and not all addresses"));
    }

    private static Path readable(SettingValue value) {
        Path file = Path.of(value.required());
        try (InputStream in = Files.newInputStream(file)) {
            if (CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
                throw value.wrong("contains no PEM certificate");
            }
        } catch (IOException e) {
            throw value.wrong("cannot be read");
        } catch (CertificateException e) {
            throw value.wrong("contains no readable PEM certificates");
        }
        return file;
    }

    /** The values of {@code on_stale}. */
    private enum OnStale {
        RERUN(StalePolicy.RERUN),
        PARK(StalePolicy.PARK);

        private final StalePolicy policy;

        OnStale(StalePolicy policy) {
            this.policy = policy;
        }
    }
}
