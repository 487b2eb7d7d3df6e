// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code semel keys ...}. */
@Command(name = "keys", description = "Shows claims and decides parked ones.")
public final class KeysCommand {
    private static final int ID_LENGTH = 64;
    private static final String NONE =
            "No claim of this tenant has an id that starts so: check --tenant; for a key, use --key-file";

    private static final String NO_KEY = "No claim has this key for this tenant: check --tenant";
    private static final String NO_KEY_SO_FAR =
            "No claim has this key in the scopes that were tried: set --scope, and check --tenant";
    private static final String NOT_ALL = "Not all scopes were tried: set --scope to find claims of other scopes";

    @Command(name = "list", description = "Lists claims, newest first.")
    int list(
            @Mixin TargetOptions target,
            @Mixin OutputOptions output,
            @Option(names = "--scope", paramLabel = "NAME", description = "only this scope") @Nullable String scope,
            @Option(
                            names = "--status",
                            paramLabel = "S",
                            description =
                                    "only these: in_progress, succeeded, failed, retryable, unknown; several with commas")
                    @Nullable
                    String status,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            description =
                                    "only claims that were made at this time or later, such as 2026-11-18T07:00:00Z")
                    @Nullable
                    String from,
            @Option(
                            names = "--before",
                            paramLabel = "TIME",
                            description = "only claims that were made before this time")
                    @Nullable
                    String before,
            @Option(
                            names = "--min-age-seconds",
                            paramLabel = "N",
                            description = "only claims that are at least this old")
                    @Nullable
                    String minAge,
            @Option(
                            names = "--prefix",
                            paramLabel = "PREFIX",
                            description = "only ids that start so, or a dedup_key_prefix of the log; also finds inbox"
                                    + " events, calls and ledger events")
                    @Nullable
                    String prefix,
            @Option(names = "--after", paramLabel = "CURSOR", description = "continue after an earlier page") @Nullable
                    String after,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "how many claims, 1 to 1000 (default ${DEFAULT-VALUE})")
                    String limit) {
        Map<String, String> query = new LinkedHashMap<>();
        put(query, "scope", scope);
        put(query, "status", status);
        put(query, "from", from);
        put(query, "before", before);
        put(query, "min_age_seconds", minAge);
        put(query, "prefix", prefix);
        put(query, "after", after);
        try (AdminTarget admin = target.open()) {
            JsonObject page = new KeyPages(admin, output).read(query, limit);
            output.print(page, KeyText.page(page));
            return 0;
        }
    }

    @Command(
            name = "show",
            description = "Shows a claim with its history, by its id or its key.",
            footer = {"", "The key is read from a file or from standard input, so that no process list contains it."})
    int show(
            @Mixin TargetOptions target,
            @Mixin OutputOptions output,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "ID",
                            description = "the id, its first 6 digits or more, a dedup_key_prefix of the log, or the"
                                    + " X-Idempotency-Key of a webhook's or call event's answer")
                    @Nullable
                    String id,
            @Option(
                            names = "--key-file",
                            paramLabel = "FILE",
                            description = "file with the key; - reads standard input")
                    @Nullable
                    String keyFile,
            @Option(names = "--scope", paramLabel = "NAME", description = "the key's scope (default: all scopes)")
                    @Nullable
                    String scope) {
        if ((id == null) == (keyFile == null)) {
            throw new ConfigException("Give either an ID or --key-file");
        }
        try (AdminTarget admin = target.open()) {
            if (id == null) {
                JsonObject matches = byKey(admin, String.valueOf(keyFile), scope);
                return shown(admin, output, matches, isComplete(matches) ? NO_KEY : NO_KEY_SO_FAR);
            }
            JsonObject matches = withPrefix(admin, id);
            if (id.length() == ID_LENGTH && elements(matches, "records").isEmpty()) {
                JsonObject claim = claim(admin, id);
                output.print(claim, KeyText.claim(claim));
                return 0;
            }
            return shown(admin, output, matches, NONE);
        }
    }

    private static int shown(AdminTarget admin, OutputOptions output, JsonObject matches, String none) {
        String note = isComplete(matches) ? "" : "%n%s%n".formatted(NOT_ALL);
        if (elements(matches, "keys").isEmpty() && !elements(matches, "records").isEmpty()) {
            // The claim has expired, or there never was one.
            output.print(matches, KeyText.page(matches) + note);
            return 0;
        }
        JsonObject claim = claim(admin, only(matches, none));
        Set<Json> records = new LinkedHashSet<>(elements(claim, "records"));
        records.addAll(elements(matches, "records"));
        Map<String, Json> members = new LinkedHashMap<>(claim.members());
        members.put("records", new JsonArray(List.copyOf(records)));
        JsonObject all = new JsonObject(members);
        output.print(all, KeyText.claim(all) + note);
        return 0;
    }

    private static JsonObject claim(AdminTarget admin, String id) {
        return admin.get("/v1/keys/" + id, Map.of());
    }

    /** Only a look-up by key says so. */
    private static boolean isComplete(JsonObject matches) {
        return !matches.member("complete").equals(Optional.of(new JsonBoolean(false)));
    }

    @Command(name = "release", description = "Decides that the work was not done: the next caller runs it again.")
    int release(@Mixin TargetOptions target, @Mixin OutputOptions output, @Mixin DecisionOptions decision) {
        return decide(target, output, decision, "release", Optional.empty());
    }

    @Command(name = "fail", description = "Decides that the work failed for good: callers receive the failure.")
    int fail(@Mixin TargetOptions target, @Mixin OutputOptions output, @Mixin DecisionOptions decision) {
        return decide(target, output, decision, "fail", Optional.empty());
    }

    @Command(name = "succeed", description = "Decides that the work was done: callers receive its result.")
    int succeed(
            @Mixin TargetOptions target,
            @Mixin OutputOptions output,
            @Mixin DecisionOptions decision,
            @Option(
                            names = "--result-file",
                            paramLabel = "FILE",
                            description =
                                    "file with the result as JSON; - reads standard input (default: callers are told"
                                            + " that the result is not known)")
                    @Nullable
                    String resultFile) {
        return decide(
                target,
                output,
                decision,
                "succeed",
                Optional.ofNullable(resultFile).map(KeysCommand::json));
    }

    private static int decide(
            TargetOptions target, OutputOptions output, DecisionOptions decision, String verb, Optional<Json> result) {
        JsonObject.Builder body = new JsonObject.Builder()
                .put("fence", JsonNumber.of(decision.fence()))
                .put("reason", new JsonString(decision.reason()));
        result.ifPresent(json -> body.put("result", json));
        try (AdminTarget admin = target.open()) {
            String id = fullId(admin, decision.id());
            JsonObject claim = admin.post("/v1/keys/%s/%s".formatted(id, verb), body.build());
            output.print(claim, KeyText.claim(claim));
            return 0;
        }
    }

    private static JsonObject byKey(AdminTarget admin, String keyFile, @Nullable String scope) {
        String key = new String(content(keyFile), StandardCharsets.UTF_8).replaceFirst("\\R$", "");
        JsonObject.Builder body = new JsonObject.Builder().put("key", new JsonString(key));
        if (scope != null) {
            body.put("scope", new JsonString(scope));
        }
        return admin.post("/v1/keys/lookup", body.build());
    }

    private static String fullId(AdminTarget admin, String id) {
        return id.length() == ID_LENGTH ? id : only(withPrefix(admin, id), NONE);
    }

    private static JsonObject withPrefix(AdminTarget admin, String prefix) {
        return admin.get("/v1/keys", Map.of("prefix", prefix, "limit", "10"));
    }

    private static String only(JsonObject answer, String none) {
        List<Json> found = elements(answer, "keys");
        if (found.isEmpty()) {
            throw new CommandException(none);
        }
        if (found.size() > 1) {
            throw new CommandException(
                    "Several claims match. Give the id of one of them:%n%s".formatted(KeyText.page(answer)));
        }
        return KeyText.text((JsonObject) found.get(0), "id");
    }

    private static List<Json> elements(JsonObject answer, String name) {
        return answer.member(name).map(array -> ((JsonArray) array).elements()).orElse(List.of());
    }

    private static void put(Map<String, String> query, String name, @Nullable String value) {
        if (value != null) {
            query.put(name, value);
        }
    }

    private static Json json(String file) {
        try {
            return Json.parse(content(file));
        } catch (JsonException e) {
            throw new ConfigException("The result must be one JSON document: check --result-file");
        }
    }

    private static byte[] content(String file) {
        try {
            return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new ConfigException("%s cannot be read (%s): check the path and the permissions"
                    .formatted(file, e.getClass().getSimpleName()));
        }
    }
}
