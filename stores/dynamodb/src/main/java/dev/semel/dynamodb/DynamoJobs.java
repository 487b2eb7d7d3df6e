// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.internal.BoundedText;
import dev.semel.spi.JobLeases;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Jobs as items of the table. As with claims, a lease is written by the latest time that it can be, and is over two seconds after
 * the earliest.
 */
final class DynamoJobs implements JobLeases {
    private static final byte[] PREFIX = "semel_job".getBytes(StandardCharsets.US_ASCII);

    /** The keys of jobs are longer than those of claims and of chunks. */
    private static final int LONGEST_OTHER_KEY = 64;

    private static final String FREE = "attribute_not_exists(#held_until) OR (#held_until <= :over %s)";
    private static final String MINE = "#holder = :holder AND attribute_not_exists(#ended_at)";

    private final DynamoCalls calls;

    DynamoJobs(DynamoCalls calls) {
        this.calls = calls;
    }

    private static Map<String, AttributeValue> keyOf(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return Map.of(
                DynamoRow.KEY,
                bytes(ByteBuffer.allocate(LONGEST_OTHER_KEY + utf8.length)
                        .put(PREFIX)
                        .position(LONGEST_OTHER_KEY)
                        .put(utf8)
                        .array()));
    }

    @Override
    public boolean start(String name, String holder, Duration lease, Duration pause) {
        JobLeases.check(name, holder);
        DynamoCalls.Conditional written = change(name, () -> started(holder, lease, pause));
        // A start without an answer may be sent again by the SDK, and then meets itself.
        return written.held() || isRunBy(holder, written.item());
    }

    private DynamoUpdate started(String holder, Duration lease, Duration pause) {
        ClockReading now = calls.now();
        DynamoUpdate free = pause.isZero()
                ? DynamoUpdate.onlyIf(FREE.formatted(""))
                : DynamoUpdate.onlyIf(FREE.formatted("AND #started_at <= :paused"))
                        .with(":paused", number(now.latest() - DynamoTransitions.micros(pause)));
        return free.with(":over", number(now.over()))
                .with(":until", number(until(now, lease)))
                .with(":now", number(now.latest()))
                .with(":holder", text(holder))
                .then("SET #holder = :holder, #held_until = :until, #started_at = :now REMOVE #ended_at, #report");
    }

    private static boolean isRunBy(String holder, Map<String, AttributeValue> item) {
        return holder.equals(DynamoValues.textOrNull(item, "holder")) && !item.containsKey("ended_at");
    }

    /** A lease of zero is over at once, for every process. */
    private static long until(ClockReading now, Duration lease) {
        return lease.isZero() ? now.past() : now.latest() + DynamoTransitions.micros(lease);
    }

    @Override
    public boolean extend(String name, String holder, Duration lease) {
        return change(
                        name,
                        () -> DynamoUpdate.onlyIf(MINE)
                                .with(":holder", text(holder))
                                .with(":until", number(until(calls.now(), lease)))
                                .then("SET #held_until = :until"))
                .held();
    }

    @Override
    public void end(String name, String holder, String report) {
        BoundedText.check("A job's report", report, MAX_REPORT);
        change(
                name,
                () -> DynamoUpdate.onlyIf(MINE)
                        .with(":holder", text(holder))
                        .with(":past", number(calls.now().past()))
                        .with(":now", number(calls.now().latest()))
                        .with(":report", text(report))
                        .then("SET #held_until = :past, #ended_at = :now, #report = :report"));
    }

    private DynamoCalls.Conditional change(String name, Supplier<DynamoUpdate> made) {
        CompletableFuture<DynamoCalls.Conditional> changed =
                calls.time().thenCompose(any -> calls.update(keyOf(name), made));
        return DynamoFutures.await(changed);
    }

    @Override
    public Optional<JobRun> last(String name) {
        Map<String, AttributeValue> item = DynamoFutures.await(calls.get(keyOf(name)));
        if (item.isEmpty()) {
            return Optional.empty();
        }
        ClockReading now = DynamoFutures.await(calls.time());
        Long ended = DynamoValues.numberOrNull(item, "ended_at");
        return Optional.of(new JobRun(
                DynamoValues.text(item, "holder"),
                DynamoValues.moment(number(item, "started_at")),
                ended == null && !now.isOver(number(item, "held_until")),
                ended == null ? null : DynamoValues.moment(ended),
                DynamoValues.textOrNull(item, "report")));
    }
}
