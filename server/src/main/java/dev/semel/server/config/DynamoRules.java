// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.ArrayList;
import java.util.List;

/** Refuses settings that ask for something that needs SQL while the claims are in DynamoDB. Reports all of them at once. */
final class DynamoRules {
    private static final String FIX = "or use PostgreSQL, MariaDB, MySQL or SQLite";

    private DynamoRules() {}

    static void check(Settings settings) {
        if (settings.database().dynamo().isEmpty()) {
            return;
        }
        List<String> wrong = new ArrayList<>();
        settings.webhooks().forEach((name, webhook) -> {
            if (webhook.sink().forward().isEmpty()) {
                wrong.add(
                        "webhooks.%1$s records events in the inbox. Set webhooks.%1$s.sink: {forward: \"http://...\"}, %2$s"
                                .formatted(name, FIX));
            }
        });
        if (!settings.calls().sites().isEmpty()) {
            wrong.add("calls.sites sets up call events. Remove it, " + FIX);
        }
        if (settings.ledger().onMismatch() == LedgerSettings.MismatchResponse.REJECT) {
            wrong.add("ledger.on_mismatch is about the ledger. Remove it, " + FIX);
        }
        cleanup(settings.cleanup(), wrong);
        if (!wrong.isEmpty()) {
            throw new ConfigException("%s holds claims only, and these settings need an SQL database:%n  - %s"
                    .formatted(settings.database().shownUrl(), String.join("%n  - ".formatted(), wrong)));
        }
    }

    private static void cleanup(CleanupSettings cleanup, List<String> wrong) {
        if (cleanup.calls().isPresent() || cleanup.ledgerKeys().isPresent()) {
            wrong.add(
                    "cleanup.calls_days and cleanup.ledger_keys_days are about call events and the ledger. Remove them, "
                            + FIX);
        }
    }
}
