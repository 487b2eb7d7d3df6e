// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code semel inbox ...}. They need a running server, because replays run through its webhook gates. */
@Command(name = "inbox", description = "Lists received webhook events and replays them. Needs a running server.")
public final class InboxCommand {
    private static final String ROW = "%-36s  %-16s  %-20s  %s%n";

    @Command(name = "list", description = "Lists events in the order in which they were written.")
    int list(
            @Mixin TargetOptions target,
            @Mixin OutputOptions output,
            @Option(names = "--provider", paramLabel = "NAME", description = "only this provider") @Nullable
                    String provider,
            @Option(names = "--unacknowledged", description = "only events that no consumer has acknowledged")
                    boolean unacknowledged,
            @Option(names = "--after", paramLabel = "CURSOR", description = "continue after an earlier page") @Nullable
                    String after,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "events in a page, 1 to 1000 (default ${DEFAULT-VALUE})")
                    String limit) {
        Map<String, String> query = new LinkedHashMap<>();
        if (provider != null) {
            query.put("provider", provider);
        }
        if (unacknowledged) {
            query.put("unacknowledged", "true");
        }
        if (after != null) {
            query.put("after", after);
        }
        query.put("limit", limit);
        try (RemoteAdmin admin = server(target)) {
            JsonObject page = admin.get("/v1/inbox", query);
            output.print(page, text(page));
            return 0;
        }
    }

    @Command(name = "replay", description = "Processes an event again, although it was processed before.")
    int replay(
            @Mixin TargetOptions target,
            @Mixin OutputOptions output,
            @Parameters(paramLabel = "ID", description = "the event's id") String id,
            @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "why, for the record")
                    String reason) {
        if (!id.matches("[0-9a-fA-F-]{36}")) {
            throw new ConfigException("ID must be the id of an event, as `semel inbox list` prints it");
        }
        try (RemoteAdmin admin = server(target)) {
            JsonObject answer = admin.post(
                    "/v1/inbox/%s/replay".formatted(id),
                    new JsonObject.Builder()
                            .put("reason", new JsonString(reason))
                            .build());
            output.print(answer, KeyText.claim(answer));
            return 0;
        }
    }

    private static RemoteAdmin server(TargetOptions target) {
        if (target.isDatabase()) {
            throw new ConfigException(
                    "The inbox needs a running server: use --url instead of --database-url or --data-dir");
        }
        return target.remote();
    }

    private static String text(JsonObject page) {
        StringBuilder table = new StringBuilder(ROW.formatted("ID", "PROVIDER", "RECEIVED", "ACKNOWLEDGED"));
        for (Json row : ((JsonArray) page.member("events").orElseThrow()).elements()) {
            JsonObject event = (JsonObject) row;
            table.append(ROW.formatted(
                    KeyText.text(event, "id"),
                    KeyText.text(event, "provider"),
                    KeyText.text(event, "received_at").replaceFirst("\\.\\d+", ""),
                    event.member("acked_at").isPresent() ? KeyText.text(event, "acked_at") : "no"));
        }
        if (page.member("more").equals(Optional.of(new JsonBoolean(true)))) {
            table.append("%nThere is more: --after %s%n".formatted(KeyText.text(page, "next")));
        }
        return table.toString();
    }
}
