// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a table in DynamoDB: {@code dynamodb://region/table}, and {@code ?endpoint=URL} for another endpoint than that of
 * the region. It contains no credentials: the AWS SDK finds them.
 *
 * @param endpoint an address without user, path and query, so it may be shown
 */
public record DynamoUrl(String region, String table, Optional<URI> endpoint) {
    static final String SCHEME = "dynamodb://";

    private static final String EXAMPLE = "dynamodb://eu-central-1/semel_claims";
    private static final String ENDPOINT = "endpoint=";
    private static final Pattern URL = Pattern.compile("dynamodb://([^/?#]*)/([^?#]*)(?:\\?([^#]*))?");
    private static final Pattern REGION = Pattern.compile("[a-z]{2,5}(?:-[a-z]{1,12}){1,3}-[0-9]{1,2}");
    private static final Pattern LOCAL_REGION = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");

    /** Returns whether a URL is meant to be one of DynamoDB, correct or not. */
    static boolean isMeantBy(String url) {
        return url.toLowerCase(Locale.ROOT).startsWith("dynamodb:");
    }

    /** @throws ConfigException that contains no part of the URL, which may have a secret in the wrong place */
    static DynamoUrl parse(String url) {
        if (url.contains("@")) {
            throw wrong(
                    "must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source"
                            + " that the AWS SDK knows, such as a role");
        }
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw wrong("must be like " + EXAMPLE + ": the region, a slash, and the table");
        }
        Optional<URI> endpoint = Optional.ofNullable(parts.group(3)).map(DynamoUrl::endpointIn);
        if (!(endpoint.isPresent() ? LOCAL_REGION : REGION)
                .matcher(parts.group(1))
                .matches()) {
            throw wrong("must name a region of AWS before the table, such as eu-central-1 in " + EXAMPLE);
        }
        if (!TABLE.matcher(parts.group(2)).matches()) {
            throw wrong(
                    "must name a table after the region: 3 to 255 letters, digits, underscores, hyphens and dots, as in "
                            + EXAMPLE);
        }
        return new DynamoUrl(parts.group(1), parts.group(2), endpoint);
    }

    private static URI endpointIn(String query) {
        if (!query.startsWith(ENDPOINT) || query.contains("&")) {
            throw wrong("has an unknown parameter. The only one is endpoint, as in " + EXAMPLE
                    + "?endpoint=http://127.0.0.1:8000; the AWS SDK finds credentials itself");
        }
        try {
            String text = query.substring(ENDPOINT.length()).replace("+", "%2B");
            URI endpoint = new URI(URLDecoder.decode(text, StandardCharsets.UTF_8));
            if (isBare(endpoint)) {
                return new URI(endpoint.getScheme(), null, endpoint.getHost(), endpoint.getPort(), null, null, null);
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // Fall through. The exception's message quotes the URL.
        }
        throw wrong("has an invalid endpoint: it must be an address without user, path and query, such as"
                + " ?endpoint=http://127.0.0.1:8000");
    }

    private static boolean isBare(URI endpoint) {
        return ("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme()))
                && endpoint.getHost() != null
                && endpoint.getRawUserInfo() == null
                && (endpoint.getRawPath().isEmpty() || endpoint.getRawPath().equals("/"))
                && endpoint.getRawQuery() == null
                && endpoint.getRawFragment() == null
                && endpoint.getPort() <= 65_535;
    }

    private static ConfigException wrong(String what) {
        return DatabaseSettings.wrong(what);
    }

    @Override
    public String toString() {
        return SCHEME + region + "/" + table
                + endpoint.map(address -> "?" + ENDPOINT + address).orElse("");
    }
}
