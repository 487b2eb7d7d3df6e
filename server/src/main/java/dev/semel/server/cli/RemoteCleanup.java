// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Runs the cleanup of a server and waits for its end, also if it takes long or another instance runs it. */
final class RemoteCleanup {
    private static final String PATH = "/v1/cleanup";
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(500);

    private final RemoteAdmin admin;
    private final OutputOptions output;

    RemoteCleanup(RemoteAdmin admin, OutputOptions output) {
        this.admin = admin;
        this.output = output;
    }

    /** What a run would delete now. */
    JsonObject due() {
        return admin.post(PATH, new JsonObject(Map.of("dry_run", new JsonBoolean(true))));
    }

    /** The answer about a run that has ended. */
    JsonObject run() {
        output.count("Cleaning up ...");
        JsonObject answer = start();
        while (KeyText.text(answer, "status").equals("running")) {
            answer = awaitEnd().orElseGet(this::start);
        }
        return answer;
    }

    private JsonObject start() {
        return admin.post(PATH, new JsonObject(Map.of()));
    }

    /** Waits for the end of the newest run. Empty if its instance ended before it did. */
    private Optional<JsonObject> awaitEnd() {
        while (true) {
            pause();
            JsonObject state = admin.get(PATH, Map.of());
            Optional<JsonObject> last = state.member("last_run").map(JsonObject.class::cast);
            if (last.flatMap(run -> run.member("running")).equals(Optional.of(new JsonBoolean(true)))) {
                show(state);
            } else {
                return last.filter(run -> run.member("ended_at").isPresent()).map(RemoteCleanup::ended);
            }
        }
    }

    private void show(JsonObject state) {
        String backlog = KeyText.text(state, "backlog");
        boolean more = backlog.equals(KeyText.text(state, "backlog_limit"));
        output.count("Cleaning up: %s%s claims left".formatted(backlog, more ? " or more" : ""));
    }

    private static JsonObject ended(JsonObject run) {
        JsonObject.Builder answer = new JsonObject.Builder().put("status", new JsonString("ended"));
        Optional<Json> report = run.member("report");
        report.ifPresent(counts -> answer.put("report", counts));
        return answer.build();
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_POLLS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("Interrupted: the cleanup goes on, and GET /v1/cleanup shows its end");
        }
    }
}
