// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Creates the table of the claims, or adds what an existing one lacks: indexes and the time to live. Nothing is removed, and no claim is
 * changed. Claims can be made meanwhile. Several processes may do it at once.
 *
 * <pre>{@code
 * DynamoMigration migration = DynamoMigration.of(client);
 * migration.plan().forEach(step -> System.out.println(step.description()));
 * migration.run();
 * }</pre>
 *
 * <p>It needs the permissions {@code CreateTable}, {@code UpdateTable}, {@code DescribeTable}, {@code DescribeTimeToLive} and {@code
 * UpdateTimeToLive}. {@link #template} is the same table for CloudFormation.
 */
public final class DynamoMigration {
    private static final String TIME_TO_LIVE = "dynamodb:UpdateTimeToLive";
    private static final Duration MAX_WAIT = Duration.ofHours(24);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final DynamoDbAsyncClient client;
    private final String table;
    private final boolean lists;
    private final Duration wait;

    private DynamoMigration(DynamoDbAsyncClient client, String table, boolean lists, Duration wait) {
        this.client = Objects.requireNonNull(client, "A client must not be null");
        this.table = Objects.requireNonNull(table, "The name of a table must not be null");
        this.lists = lists;
        this.wait = wait;
    }

    /** The migration of the table {@value DynamoClaimStore#TABLE}. */
    public static DynamoMigration of(DynamoDbAsyncClient client) {
        return of(client, DynamoClaimStore.TABLE);
    }

    /** As {@link #of(DynamoDbAsyncClient)}, with another table. */
    public static DynamoMigration of(DynamoDbAsyncClient client, String table) {
        return new DynamoMigration(client, table, true, Duration.ofHours(1));
    }

    /** Does not add the index for lists of claims, which costs a write unit for each claim. An existing one is kept. */
    public DynamoMigration withoutLists() {
        return new DynamoMigration(client, table, false, wait);
    }

    /** Waits this long for the table and its indexes. The default is an hour. Building an index of many claims takes long. */
    public DynamoMigration waitingUpTo(Duration longest) {
        if (longest.isNegative() || longest.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("A wait must be between 0 and 24 hours, but is " + longest);
        }
        return new DynamoMigration(client, table, lists, longest);
    }

    /**
     * A change of the table.
     *
     * @param action the permission that it needs, such as {@code dynamodb:CreateTable}
     * @param description what it does
     */
    public record Step(String action, String description) {}

    /**
     * What {@link #run} would do now, in its order. Changes nothing. Empty if the table is up to date.
     *
     * @throws StoreException if the table exists and is not one of Semel's, or DynamoDB does not answer
     */
    public List<Step> plan() {
        return missing().stream().map(Change::step).toList();
    }

    /**
     * Creates or updates the table, and waits until it can be used. Blocks.
     *
     * @return what was done
     * @throws StoreException if the table exists and is not one of Semel's, if DynamoDB refuses a step, or if the table is not ready in
     *     time: run it again then
     */
    public List<Step> run() {
        List<Step> done = new ArrayList<>();
        long start = System.nanoTime();
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            TableDescription existing = described();
            if (existing == null || DynamoTable.isActive(existing)) {
                List<Change> missing = missing(existing);
                if (missing.isEmpty()) {
                    return done;
                }
                if (carriedOut(missing.get(0))) {
                    done.add(missing.get(0).step());
                    pause = FIRST_PAUSE_MILLIS;
                }
            }
            if (System.nanoTime() - start > wait.toNanos()) {
                throw new StoreException(
                        StoreException.Kind.BUSY,
                        "The table %s is not ready after %s: DynamoDB is still creating it or an index. Run the migration again"
                                .formatted(table, wait));
            }
            rest(pause);
        }
    }

    /** The table, its indexes and its time to live as a template for CloudFormation, in JSON. Needs no connection. */
    public String template() {
        return DynamoTemplate.of(DynamoTable.definition(table, lists));
    }

    private record Change(Step step, Supplier<CompletableFuture<?>> request) {}

    private List<Change> missing() {
        return missing(described());
    }

    private List<Change> missing(@Nullable TableDescription existing) {
        List<Change> missing = new ArrayList<>();
        if (existing == null) {
            missing.add(change(
                    "dynamodb:CreateTable",
                    "create the table %s with the index%s".formatted(table, lists ? "es due and listed" : " due"),
                    () -> client.createTable(DynamoTable.definition(table, lists))));
        } else {
            DynamoTable.requireSame(existing);
            for (GlobalSecondaryIndex index :
                    DynamoTable.definition(table, lists).globalSecondaryIndexes()) {
                if (DynamoTable.indexOf(existing, index.indexName()) == null) {
                    missing.add(change(
                            "dynamodb:UpdateTable",
                            "add the index %s to the table %s".formatted(index.indexName(), table),
                            () -> client.updateTable(DynamoTable.adding(existing, index))));
                }
            }
        }
        if (existing == null || !hasTimeToLive()) {
            missing.add(change(
                    TIME_TO_LIVE,
                    "turn on the time to live of the table %s by the attribute %s"
                            .formatted(table, DynamoTimeToLive.ATTRIBUTE),
                    () -> client.updateTimeToLive(request -> request.tableName(table)
                            .timeToLiveSpecification(
                                    ttl -> ttl.enabled(true).attributeName(DynamoTimeToLive.ATTRIBUTE)))));
        }
        return missing;
    }

    private static Change change(String action, String description, Supplier<CompletableFuture<?>> request) {
        return new Change(new Step(action, description), request);
    }

    private @Nullable TableDescription described() {
        return DynamoFutures.await(client.describeTable(request -> request.tableName(table))
                        .handle((answer, failure) -> {
                            if (failure == null) {
                                return Optional.of(answer.table());
                            }
                            if (DynamoErrors.unwrapped(failure) instanceof ResourceNotFoundException) {
                                return Optional.<TableDescription>empty();
                            }
                            throw DynamoErrors.translate(failure, "dynamodb:DescribeTable", table);
                        }))
                .orElse(null);
    }

    /** Whether it is on or being turned on. */
    private boolean hasTimeToLive() {
        return DynamoFutures.await(client.describeTimeToLive(request -> request.tableName(table))
                .handle((answer, failure) -> {
                    if (failure != null) {
                        throw DynamoErrors.translate(failure, "dynamodb:DescribeTimeToLive", table);
                    }
                    TimeToLiveStatus status = answer.timeToLiveDescription().timeToLiveStatus();
                    boolean on = status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
                    String attribute = answer.timeToLiveDescription().attributeName();
                    if (on && !DynamoTimeToLive.ATTRIBUTE.equals(attribute)) {
                        throw new StoreException(
                                StoreException.Kind.REJECTED,
                                "The time to live of the table %s is on by the attribute %s, but Semel's is %s: turn it off, and run"
                                                .formatted(table, attribute, DynamoTimeToLive.ATTRIBUTE)
                                        + " the migration again an hour later");
                    }
                    return on;
                }));
    }

    /** False if DynamoDB is busy with an earlier step, or another process has just done this one. */
    private boolean carriedOut(Change change) {
        Throwable failure = DynamoFutures.await(
                        change.request().get().handle((answer, failed) -> Optional.ofNullable(failed)))
                .map(DynamoErrors::unwrapped)
                .orElse(null);
        if (failure == null) {
            return true;
        }
        boolean busy = failure instanceof ResourceInUseException || failure instanceof LimitExceededException;
        if (busy || (change.step().action().equals(TIME_TO_LIVE) && hasTimeToLive())) {
            return false;
        }
        throw DynamoErrors.translate(failure, change.step().action(), table);
    }

    private static void rest(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreException(StoreException.Kind.BUSY, "Interrupted while the table was created or updated");
        }
    }
}
