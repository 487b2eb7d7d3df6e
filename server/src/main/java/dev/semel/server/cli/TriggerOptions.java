// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.server.config.ConfigException;
import dev.semel.server.config.NearestName;
import dev.semel.server.config.SecretText;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import dev.semel.server.config.WebhookSettings;
import dev.semel.server.trigger.TriggerTarget;
import dev.semel.webhooks.provider.DeliverySigner;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.signature.PrivateKeys;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where {@code semel trigger} sends, and with which secret. */
final class TriggerOptions {
    private static final String DEFAULT_URL = "http://127.0.0.1:8080";
    private static final long MAX_KEY_FILE = 64 * 1_024;

    @Option(
            names = "--url",
            paramLabel = "URL",
            split = ",",
            description = "the running server, or several in turn (SEMEL_URL; default " + DEFAULT_URL
                    + "); a URL with a path is used as it is")
    private @Nullable List<String> urls;

    @Option(
            names = "--org",
            paramLabel = "NAME",
            description = "the organization in the webhook's URL (default: the URL without one)")
    private @Nullable String org;

    @Option(
            names = "--secret",
            paramLabel = "TEXT",
            description =
                    "the signing secret; prefer SEMEL_WEBHOOK_SECRET, because others can see options in the process list")
    private @Nullable String secret;

    @Option(
            names = "--private-key",
            paramLabel = "FILE",
            description = "the private key of paypal, sendgrid, or a sender with public_keys (PEM, PKCS #8)")
    private @Nullable Path privateKey;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "settings file with the provider's secrets (SEMEL_CONFIG; default semel.yml, if it exists)")
    private @Nullable Path config;

    /** The settings of a configured provider, or those of a type that is not configured. */
    WebhookSettings settings(String name) {
        Settings settings = SettingsReader.readForTools(Map.of(), Optional.ofNullable(config), System.getenv());
        WebhookSettings configured = settings.webhooks().get(name);
        if (configured != null) {
            return configured;
        }
        TreeSet<String> known = new TreeSet<>(Providers.names());
        known.addAll(settings.webhooks().keySet());
        if (!known.contains(name)) {
            throw new ConfigException("Unknown provider%s Use one of %s"
                    .formatted(
                            NearestName.to(name.substring(0, Math.min(64, name.length())), known)
                                    .map(near -> ": did you mean " + near + "?")
                                    .orElse(""),
                            String.join(", ", known)));
        }
        return WebhookSettings.unconfigured(name);
    }

    DeliverySigner signer(String name, WebhookSettings settings) {
        try {
            ProviderConfig options = ProviderConfig.none();
            for (Map.Entry<String, List<SecretText>> option : settings.options().entrySet()) {
                options = options.with(
                        option.getKey(),
                        option.getValue().stream().map(SecretText::reveal).toArray(String[]::new));
            }
            Optional<String> given = Optional.ofNullable(secret).or(() -> variable("SEMEL_WEBHOOK_SECRET"));
            if (given.isPresent()) {
                options = options.with("secrets", given.get());
            }
            DeliverySigner signer = DeliverySigner.of(settings.type(), options, key());
            if (!signer.signs() && settings.provider().verifies()) {
                throw new ConfigException(("The settings of %s verify a signature that needs a private key: set"
                                + " --private-key to the file of the key whose public part is configured")
                        .formatted(name));
            }
            return signer;
        } catch (IllegalArgumentException e) {
            // Messages of providers name the setting and contain no secrets.
            throw new ConfigException("%s: %s".formatted(name, e.getMessage()));
        }
    }

    private Optional<PrivateKey> key() {
        if (privateKey == null) {
            return Optional.empty();
        }
        try {
            if (Files.size(privateKey) > MAX_KEY_FILE) {
                throw new ConfigException("--private-key: %s is too large for a key".formatted(privateKey));
            }
            return Optional.of(PrivateKeys.read(Files.readString(privateKey, StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new ConfigException("--private-key: %s cannot be read (%s)"
                    .formatted(privateKey, e.getClass().getSimpleName()));
        }
    }

    List<TriggerTarget> targets(String name, WebhookSettings settings) {
        List<String> given = urls != null ? urls : List.of(variable("SEMEL_URL").orElse(DEFAULT_URL));
        return given.stream().map(text -> target(text.strip(), name, settings)).toList();
    }

    private TriggerTarget target(String text, String name, WebhookSettings settings) {
        try {
            URI url = URI.create(text);
            boolean usable = url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null
                    && String.valueOf(url.getScheme()).matches("https?");
            if (usable) {
                String server = url.getScheme() + "://" + url.getRawAuthority();
                boolean complete = !String.valueOf(url.getRawPath()).matches("/*") || url.getRawQuery() != null;
                return complete
                        ? new TriggerTarget(url, server)
                        : new TriggerTarget(URI.create(server + path(name, settings)), server);
            }
        } catch (IllegalArgumentException e) {
            // Fall through: the message below says what is expected.
        }
        throw new ConfigException("--url (SEMEL_URL) must be a URL such as %s, without a user".formatted(DEFAULT_URL));
    }

    private String path(String name, WebhookSettings settings) {
        Optional<String> tenant = Optional.ofNullable(org);
        Optional<String> urlSecret = settings.urlSecret().map(SecretText::reveal);
        if (urlSecret.isPresent() && tenant.isEmpty()) {
            tenant = Optional.of(
                    settings.tenants().size() == 1 ? settings.tenants().get(0) : "default");
        }
        return Stream.of(Optional.of("/webhooks"), tenant.map(TriggerOptions::segment), Optional.of(name), urlSecret)
                .flatMap(Optional::stream)
                .reduce((before, segment) -> before + "/" + segment)
                .orElseThrow();
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(text -> !text.isEmpty());
    }
}
