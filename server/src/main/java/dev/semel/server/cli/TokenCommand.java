// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Role;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands {@code semel token ...}. */
@Command(name = "token", description = "Creates API tokens.")
public final class TokenCommand {
    private static final int BYTES = 32;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._@ -]{0,254}";

    @Command(
            name = "create",
            description = "Creates a token and prints it once, with the lines for semel.yml. It stores nothing.")
    int create(
            @Mixin OutputOptions output,
            @Option(
                            names = "--tenant",
                            required = true,
                            paramLabel = "NAME[,NAME...]",
                            description =
                                    "whose data the token may use; several with commas, or * for all: each request"
                                            + " then names one in X-Organization-Id")
                    String tenant,
            @Option(
                            names = "--actor",
                            required = true,
                            paramLabel = "NAME",
                            description = "who uses it, for the audit trail")
                    String actor,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            defaultValue = "client",
                            description = "client, viewer or operator (default ${DEFAULT-VALUE})")
                    String role) {
        List<String> tenants = List.of(tenant.split(",", -1));
        boolean several = tenants.size() > 1 || tenant.equals("*");
        if (!tenant.equals("*")) {
            tenants.forEach(name -> require("--tenant", name));
        }
        require("--actor", actor);
        String word = role(role);
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = "semel_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        String digest = HexFormat.of().formatHex(Sha256.of(token.getBytes(StandardCharsets.ISO_8859_1)));
        output.print(
                new JsonObject.Builder()
                        .put("token", new JsonString(token))
                        .put("sha256", new JsonString(digest))
                        .put(
                                several ? "tenants" : "tenant",
                                several
                                        ? new JsonArray(tenants.stream()
                                                .<Json>map(JsonString::new)
                                                .toList())
                                        : new JsonString(tenant))
                        .put("actor", new JsonString(actor))
                        .put("role", new JsonString(word))
                        .build(),
                """
                %s

                Give the token to its user; it is not shown again. Add its digest to semel.yml:

                tokens:
                  - {sha256: "%s", %s, actor: "%s", role: %s}
                """.formatted(token, digest, yaml(tenants, several), actor, word));
        return 0;
    }

    private static String yaml(List<String> tenants, boolean several) {
        String names = tenants.stream().map("\"%s\""::formatted).collect(Collectors.joining(", "));
        return several ? "tenants: [%s]".formatted(names) : "tenant: " + names;
    }

    /** The names are printed as YAML, so characters that could end the text are refused. */
    private static void require(String option, String name) {
        if (!name.matches(NAME)) {
            throw new ConfigException(option
                    + " must have 1 to 255 letters, digits, spaces or . _ @ - and start with a letter or a digit");
        }
    }

    private static String role(String text) {
        for (Role role : Role.values()) {
            String word = role.name().toLowerCase(Locale.ROOT);
            if (word.equals(text)) {
                return word;
            }
        }
        throw new ConfigException("--role must be client, viewer or operator");
    }
}
