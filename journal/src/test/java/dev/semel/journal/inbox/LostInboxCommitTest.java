// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.SilentNetwork;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 10 of docs/failures.md: the connection is lost at a commit, so its outcome is unknown. */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class LostInboxCommitTest {
    private final DatabaseKind kind;

    LostInboxCommitTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @ParameterizedTest
    @EnumSource
    void row10_theEventIsStoredOnce(SilentNetwork.At at) throws Exception {
        try (InboxWithLostCommits lossy = new InboxWithLostCommits(kind)) {
            recorded(withLostCommit(lossy, at, webhook("plain")));
            recorded(withLostCommit(lossy, at, paying(webhook("paid", "alias"), "payment")));
            assertThat(withLostCommit(lossy, at, paying(webhook("again"), "payment")))
                    .isEqualTo(new InboxOutcome.PaymentDuplicate());

            assertThat(lossy.losses()).isEqualTo(3);
            assertThat(lossy.database().count("webhook_inbox")).isEqualTo(2);
        }
    }

    private static InboxOutcome withLostCommit(InboxWithLostCommits lossy, SilentNetwork.At at, InboxEntry entry)
            throws InterruptedException {
        return get(lossy.losing(at, () -> lossy.inbox().record(entry, WAIT)));
    }
}
