// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Writes ledger events, one by one and many at once. */
final class LedgerWrites implements Workload {
    static final String KIND = "ledger";

    private final Ledger ledger;
    private final Recorder recorder;
    private final Items items;
    private final String organization;

    LedgerWrites(Ledger ledger, Recorder recorder, Items items, String round) {
        this.ledger = ledger;
        this.recorder = recorder;
        this.items = items;
        this.organization = "org-" + round;
    }

    @Override
    public void step(SplittableRandom random) throws Exception {
        Map<String, Item> chosen = new LinkedHashMap<>();
        int count = random.nextInt(2) == 0 ? 1 : 1 + random.nextInt(10);
        for (int i = 0; i < count; i++) {
            Item item = items.choose(KIND, Duration.ofMillis(20), 40, random).forEver();
            chosen.put(item.name(), item);
        }
        write(Items.withRepetition(chosen.values(), random));
    }

    @Override
    public boolean settles(String name, SplittableRandom random) throws Exception {
        return Outcomes.isSettled(
                write(List.of(items.named(KIND, name).forEver())).get(0));
    }

    private List<Answer> write(List<Item> chosen) throws Exception {
        List<Long> calls = new ArrayList<>();
        List<LedgerEntry> entries = new ArrayList<>();
        for (Item item : chosen) {
            calls.add(recorder.asked(item, Bounds.journal()));
            entries.add(LedgerEntry.of(
                    item.name(),
                    new JsonObject.Builder()
                            .put("org_id", new JsonString(organization))
                            .put("event_type", new JsonString("paid"))
                            .put("note", new JsonString("x".repeat(Math.min(item.bytes(), 70_000))))
                            .build()));
        }
        List<Ingestion> outcomes = chosen.size() == 1
                ? List.of(ledger.ingest(entries.get(0)).toCompletableFuture().get())
                : ledger.ingestAll(entries).toCompletableFuture().get();
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            answers.add(told(chosen.get(i), calls.get(i), outcomes.get(i)));
        }
        return answers;
    }

    private Answer told(Item item, long call, Ingestion outcome) {
        if (outcome instanceof Ingestion.Written written) {
            return recorder.written(item, call, KIND, written.event().id());
        }
        if (outcome instanceof Ingestion.Existing existing) {
            return recorder.written(item, call, KIND, existing.event().id());
        }
        recorder.told(item, call, Answer.UNAVAILABLE);
        if (outcome instanceof Ingestion.Rejected) {
            recorder.unexpected(item.name(), "the ledger rejected an event that was the same");
        }
        return Answer.UNAVAILABLE;
    }

    /** Pages of the ledger. */
    StreamReader reader() {
        return new StreamReader(
                KIND, recorder, StreamReader.pages(cursor -> ledger.page(organization, cursor, 50), LedgerEvent::id));
    }
}
