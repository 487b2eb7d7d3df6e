// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** The report of {@code semel trigger} as text for people. */
final class TriggerText {
    private static final List<String> KINDS =
            List.of("processed", "already_processed", "refused", "failed", "unrecognized");
    private static final String ROW = "%-40s  %9s  %17s  %7s  %6s  %12s%n";

    private TriggerText() {}

    static String of(JsonObject report) {
        StringBuilder text = new StringBuilder("%s event(s) of %s in %s %s deliveries: %s%n%n"
                .formatted(
                        KeyText.text(report, "events"),
                        KeyText.text(report, "provider"),
                        KeyText.text(report, "deliveries"),
                        is(report, "signed") ? "signed" : "unsigned",
                        is(report, "exactly_once")
                                ? "each was processed exactly once."
                                : "NOT each was processed exactly once."));
        text.append(ROW.formatted("TARGET", "PROCESSED", "ALREADY PROCESSED", "REFUSED", "FAILED", "UNRECOGNIZED"));
        for (Json row : rows(report, "targets")) {
            JsonObject target = (JsonObject) row;
            text.append(ROW.formatted(
                    KeyText.text(target, "url"),
                    KeyText.text(target, KINDS.get(0)),
                    KeyText.text(target, KINDS.get(1)),
                    KeyText.text(target, KINDS.get(2)),
                    KeyText.text(target, KINDS.get(3)),
                    KeyText.text(target, KINDS.get(4))));
        }
        text.append("%n".formatted());
        for (Json row : rows(report, "processed_by")) {
            JsonObject event = (JsonObject) row;
            text.append("event %s  processed %s time(s)%s%n"
                    .formatted(
                            KeyText.text(event, "event"),
                            KeyText.text(event, "times"),
                            event.member("delivery").isEmpty()
                                    ? ""
                                    : ", by delivery %s to %s"
                                            .formatted(KeyText.text(event, "delivery"), KeyText.text(event, "url"))));
        }
        JsonObject latency = (JsonObject) report.member("latency_ms").orElseThrow();
        text.append("%nlatency  p50 %s ms, p95 %s ms, p99 %s ms, max %s ms%n"
                .formatted(
                        KeyText.text(latency, "p50"),
                        KeyText.text(latency, "p95"),
                        KeyText.text(latency, "p99"),
                        KeyText.text(latency, "max")));
        if (report.member("first_problem").isPresent()) {
            text.append("problem  %s%n".formatted(KeyText.text(report, "first_problem")));
            if (!is(report, "signed") && KeyText.text(report, "first_problem").startsWith("401")) {
                text.append("to sign  set --secret, --private-key or --config, or SEMEL_WEBHOOK_SECRET%n".formatted());
            }
        }
        return text.toString();
    }

    private static List<Json> rows(JsonObject report, String name) {
        return ((JsonArray) report.member(name).orElseThrow()).elements();
    }

    private static boolean is(JsonObject report, String name) {
        return report.member(name).equals(Optional.of(new JsonBoolean(true)));
    }
}
