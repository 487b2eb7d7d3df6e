// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxKeys;
import dev.semel.journal.inbox.InboxOutcome;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.payload.Body;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Records webhook events in the inbox. */
final class InboxWrites implements Workload {
    static final String KIND = "inbox";

    private static final Duration WAIT = Duration.ofMillis(500);

    private final Inbox inbox;
    private final Recorder recorder;
    private final Items items;
    private final String tenant;

    InboxWrites(Inbox inbox, Recorder recorder, Items items, String round) {
        this.inbox = inbox;
        this.recorder = recorder;
        this.items = items;
        this.tenant = "inbox-" + round;
    }

    @Override
    public void step(SplittableRandom random) throws Exception {
        write(items.choose(KIND, Duration.ofMillis(40), 20, random), random);
    }

    @Override
    public boolean settles(String name, SplittableRandom random) throws Exception {
        return Outcomes.isSettled(write(items.named(KIND, name), random));
    }

    private Answer write(Item chosen, SplittableRandom random) throws Exception {
        Item item = chosen.forEver();
        long call = recorder.asked(item, Bounds.journal());
        List<String> aliases = random.nextInt(3) == 0 ? List.of("tx_" + item.name()) : List.of();
        InboxEntry entry = new InboxEntry(
                tenant,
                "stripe",
                new InboxKeys("ev_" + item.name(), aliases, "ev_", Duration.ofDays(1)),
                "paid",
                new Body("application/json", Content.of(item.name().hashCode(), Math.min(item.bytes(), 70_000))),
                Map.of(),
                true,
                null);
        InboxOutcome outcome = inbox.record(entry, WAIT).toCompletableFuture().get();
        if (outcome instanceof InboxOutcome.Recorded recorded) {
            return recorder.written(item, call, KIND, recorded.id());
        }
        if (outcome instanceof InboxOutcome.Duplicate duplicate
                && duplicate.id().isPresent()) {
            return recorder.written(item, call, KIND, duplicate.id().get());
        }
        Answer answer = outcome instanceof InboxOutcome.InProgress ? Answer.IN_PROGRESS : Answer.UNAVAILABLE;
        recorder.told(item, call, answer);
        return answer;
    }

    /** Pages of the inbox. */
    StreamReader reader() {
        return new StreamReader(
                KIND,
                recorder,
                StreamReader.pages(cursor -> inbox.page(InboxQuery.of(tenant), cursor, 50), InboxEvent::id));
    }
}
