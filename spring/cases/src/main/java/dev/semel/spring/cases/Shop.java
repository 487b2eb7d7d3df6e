// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.spring.CurrentRun;
import dev.semel.spring.Idempotent;
import dev.semel.spring.TransactionMode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** The idempotent methods of the application. It counts how often each key ran. */
public class Shop {
    private final JdbcTemplate jdbc;
    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Semaphore gate = new Semaphore(0);

    Shop(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    int runs(String key) {
        return runs.getOrDefault(key, new AtomicInteger()).get();
    }

    Semaphore gate() {
        return gate;
    }

    private void ran(String key) {
        runs.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
    }

    private void insert(String id, int amount) {
        jdbc.update("INSERT INTO orders (id, amount) VALUES (?, ?)", id, amount);
    }

    @Idempotent(scope = "orders.create", key = "#request.id", ttl = "P1D", fingerprint = "#request")
    @Transactional
    public ShopOrder create(OrderRequest request) {
        ran(request.id());
        insert(request.id(), request.amount());
        return new ShopOrder(
                request.id(),
                request.amount(),
                new BigDecimal("10.50"),
                Instant.parse("2026-01-02T03:04:05.678Z"),
                LocalDate.of(2026, 1, 2),
                request.notes(),
                Optional.empty(),
                null);
    }

    /** The same operation after a refactoring: another class could have it too. */
    @Idempotent(scope = "orders.create", key = "#p0.id", fingerprint = "#a0")
    @Transactional
    public ShopOrder placeOrder(OrderRequest anotherName) {
        ran(anotherName.id());
        throw new IllegalStateException("a renamed method must not run again");
    }

    /** The commit fails after the method has returned, because the customer does not exist. */
    @Idempotent(scope = "orders.late", key = "#id")
    @Transactional
    public String failsAtCommit(String id, @Nullable String customer) {
        ran(id);
        jdbc.update("INSERT INTO orders (id, amount, customer) VALUES (?, 1, ?)", id, customer);
        return id;
    }

    @Idempotent(scope = "orders.void", key = "#id")
    public void nothing(String id) {
        ran(id);
    }

    @Idempotent(scope = "orders.null", key = "#id")
    public @Nullable ShopOrder nothingFound(String id) {
        ran(id);
        return null;
    }

    @Idempotent(scope = "orders.optional", key = "#id")
    public Optional<ShopOrder> find(String id, boolean present) {
        ran(id);
        return present
                ? Optional.of(new ShopOrder(
                        id, 1, BigDecimal.ONE, Instant.EPOCH, LocalDate.EPOCH, List.of(), Optional.of("c"), null))
                : Optional.empty();
    }

    @Idempotent(scope = "orders.list", key = "#id")
    public List<Map<String, Integer>> list(String id) {
        ran(id);
        return List.of(Map.of("a", 1), Map.of("b", 2));
    }

    @Idempotent(scope = "orders.number", key = "#number")
    public int number(long number) {
        ran("n" + number);
        return 42;
    }

    @Idempotent(scope = "orders.future", key = "#id")
    public CompletableFuture<List<Integer>> future(String id, boolean fails) {
        ran(id);
        String child = CurrentRun.get().childKey("later");
        return CompletableFuture.supplyAsync(() -> {
            if (fails) {
                throw new IllegalArgumentException("not this time");
            }
            return List.of(child.length(), 2);
        });
    }

    @Idempotent(scope = "orders.fails", key = "#id")
    public String fails(String id) throws OutOfStockException {
        ran(id);
        if (runs(id) == 1) {
            throw new OutOfStockException("sold out");
        }
        return "ran " + runs(id);
    }

    /** A checked exception of the application. */
    public static final class OutOfStockException extends Exception {
        OutOfStockException(String message) {
            super(message);
        }
    }

    @Idempotent(scope = "orders.reject", key = "#id")
    public @Nullable String rejects(String id) {
        ran(id);
        return CurrentRun.get().reject("INSUFFICIENT_FUNDS", Map.of("missing", 5));
    }

    @Idempotent(scope = "orders.rejectNumber", key = "#id")
    public int rejectsNumber(String id, boolean rejects) {
        ran(id);
        if (rejects) {
            return CurrentRun.get().reject("OUT_OF_STOCK");
        }
        throw new NullPointerException("of the method itself");
    }

    @Idempotent(scope = "orders.blocks", key = "#id")
    public String blocks(String id) throws InterruptedException {
        ran(id);
        gate.acquire();
        return "done";
    }

    @Idempotent(scope = "orders.closing", key = "#id", lease = "1s")
    public String blocksWhileClosing(String id) throws InterruptedException {
        ran(id);
        gate.acquire();
        return once(id);
    }

    @Idempotent(scope = "orders.once", key = "#id", waitUpTo = "20s")
    public String once(String id) {
        ran(id);
        return "done " + id;
    }

    @Idempotent(scope = "orders.tenant", key = "#id", tenant = "#tenant")
    public String ofTenant(String tenant, String id) {
        ran(tenant + id);
        return tenant;
    }

    @Idempotent(scope = "orders.join", key = "#id", transaction = TransactionMode.JOIN, waitUpTo = "10s")
    public String join(String id) {
        ran(id);
        insert(id, 1);
        return CurrentRun.get().childKey("c");
    }

    /** Has its own transaction inside the one of the claim. */
    @Idempotent(scope = "orders.join2", key = "#id", transaction = TransactionMode.JOIN)
    @Transactional
    public String joinTransactional(String id, boolean fails) {
        ran(id);
        insert(id, 1);
        if (fails) {
            throw new IllegalArgumentException("rolled back");
        }
        return id;
    }

    @Idempotent(scope = "orders.outside", key = "#id", transaction = TransactionMode.OUTSIDE)
    public String outside(String id) {
        ran(id);
        return id;
    }

    @Idempotent(scope = "orders.alone", key = "#id", transaction = TransactionMode.OUTSIDE)
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void insertAlone(String id) {
        ran(id);
        insert(id, 1);
    }

    @Idempotent(scope = "charge", key = "#id", lease = "1s", waitUpTo = "30s")
    public String charge(String id, boolean dies) throws InterruptedException {
        jdbc.update(
                "INSERT INTO bank_calls (child_key) VALUES (?)",
                CurrentRun.get().childKey("charge"));
        if (dies) {
            gate.acquire();
        }
        return "charged";
    }

    public void insertInCallersTransaction(String id) {
        insert(id, 1);
    }

    @Idempotent(scope = "orders.monthly", key = "#customer + ':' + #month")
    public String monthly(String customer, @Nullable String month) {
        return customer + month;
    }
}
