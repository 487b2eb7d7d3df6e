// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.number;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * When DynamoDB itself may delete a row, in seconds since 1970: a week after it has expired, so only if no sweep has reached it.
 * Only settled records without pointers have this time. Running and parked claims protect their keys. Pointers and their records are
 * deleted together, and chunks after their claim, which DynamoDB does not know.
 */
final class DynamoTimeToLive {
    static final String ATTRIBUTE = "ttl_at";

    /** How long the claim is kept after its settlement, so that the settlement can add its own time. */
    static final String KEPT = "ttl_seconds";

    static final long GRACE_SECONDS = Duration.ofDays(7).toSeconds();

    /** In the place of a TTL that does not end, as seconds. */
    static final long NEVER = 1_000_000_000_000L;

    private DynamoTimeToLive() {}

    /** A claim is running: it is not deleted. */
    static void start(Map<String, AttributeValue> item, @Nullable Long ttlMicros) {
        never(item);
        if (ttlMicros != null && !item.containsKey("aliases")) {
            item.put(KEPT, number(seconds(ttlMicros)));
        }
    }

    /** A claim is settled, and expires. */
    static void settle(Map<String, AttributeValue> item, ClockReading now) {
        Long kept = DynamoValues.numberOrNull(item, KEPT);
        if (kept != null) {
            item.put(ATTRIBUTE, number(kept + from(now)));
        }
    }

    /** The row is left to the sweep. */
    static void never(Map<String, AttributeValue> item) {
        item.remove(ATTRIBUTE);
        item.remove(KEPT);
    }

    /** The time to which a settlement adds how long its claim is kept. */
    static long from(ClockReading now) {
        return seconds(now.latest()) + GRACE_SECONDS;
    }

    private static long seconds(long micros) {
        return TimeUnit.MICROSECONDS.toSeconds(micros) + 1;
    }
}
