// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Outcome;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.torture.history.Answer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;

/** Claim, effect and result in one transaction: the effect is a row in a table without a unique key. */
final class TransactionalWork implements Workload {
    static final String KIND = "transactional";

    private final TransactionalClaims claims;
    private final Recorder recorder;
    private final Items items;
    private final boolean dirty;

    TransactionalWork(TransactionalClaims claims, Recorder recorder, Items items, boolean dirty) {
        this.claims = claims;
        this.recorder = recorder;
        this.items = items;
        this.dirty = dirty;
    }

    @Override
    public void step(SplittableRandom random) {
        call(items.choose(KIND, Duration.ofMillis(60), 20, random).forEver().upTo(70_000), random);
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        return Outcomes.isSettled(call(items.named(KIND, name).forEver().upTo(70_000), random));
    }

    private Answer call(Item item, SplittableRandom random) {
        long call = recorder.asked(item, Bounds.transaction(item));
        Outcomes.Content told;
        try {
            Outcome<byte[]> outcome = claims.inTransaction(
                    item.operation(KIND),
                    item.key(KIND),
                    item.fingerprint(),
                    (connection, run) -> work(connection, item, random));
            told = Outcomes.of(outcome);
        } catch (RuntimeException e) {
            if (!dirty) {
                recorder.unexpected(item.name(), "inTransaction threw " + e);
            }
            told = Outcomes.Content.of(Answer.UNAVAILABLE);
        }
        recorder.told(item, call, told.answer(), told.bytes(), told.hash());
        return told.answer();
    }

    private byte[] work(Connection connection, Item item, SplittableRandom random) throws Exception {
        long run = recorder.nextRun();
        recorder.beganInTransaction(item, run);
        byte[] content = Content.of(run, Math.max(8, item.bytes()));
        insert(connection, item.name(), Content.hash(content));
        if (random.nextInt(10) == 0) {
            RandomRun.Pace.of(item.lease(), random).pass();
        }
        if (random.nextInt(12) == 0) {
            throw new PassingFailure();
        }
        recorder.ended(item, run, content.length, Content.hash(content));
        return content;
    }

    static void insert(Connection connection, String item, String hash) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO torture_effects (item, hash) VALUES (?, ?)
                """)) {
            insert.setString(1, item);
            insert.setString(2, hash);
            insert.executeUpdate();
        }
    }
}
