// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.spring.Idempotent;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The routes of the application. */
@RestController
public class ShopController {
    private final Shop shop;
    private final AtomicInteger calls = new AtomicInteger();

    ShopController(Shop shop) {
        this.shop = shop;
    }

    int calls() {
        return calls.get();
    }

    /** A new secret for every call, so that a second run cannot be mistaken for a replay. */
    @PostMapping("/payments")
    @Idempotent(scope = "payments.create")
    public ResponseEntity<Map<String, Object>> pay(@RequestBody Map<String, Object> payment) {
        calls.incrementAndGet();
        String id = UUID.randomUUID().toString();
        return ResponseEntity.created(URI.create("/payments/" + id))
                .header("X-Not-Replayed", id)
                .body(Map.of(
                        "id", id, "client_secret", "secret_" + UUID.randomUUID(), "amount", payment.get("amount")));
    }

    @PostMapping("/payments/{id}/captures")
    @Idempotent(scope = "payments.capture", ttl = "1h", lease = "10s", waitUpTo = "5s")
    public CompletableFuture<Map<String, String>> capture(@PathVariable String id) {
        calls.incrementAndGet();
        return CompletableFuture.supplyAsync(
                () -> Map.of("id", id, "capture", UUID.randomUUID().toString()));
    }

    /** Not protected itself: the bean's method is. */
    @PostMapping("/orders")
    public ShopOrder order(@RequestBody OrderRequest request) {
        return shop.create(request);
    }

    @PostMapping("/blocked/{id}")
    public String blocked(@PathVariable String id) throws InterruptedException {
        return shop.blocks(id);
    }

    @PostMapping("/protected-blocked/{id}")
    @Idempotent(scope = "blocked.create")
    public String protectedBlocked(@PathVariable String id) throws InterruptedException {
        return shop.blocks(id);
    }

    @PostMapping("/rejected/{id}")
    public String rejected(@PathVariable String id) {
        return String.valueOf(shop.rejects(id));
    }

    /** All methods, of which those that change something are protected. */
    @RequestMapping("/any-method")
    @Idempotent(scope = "any.method")
    public String anyMethod() {
        return UUID.randomUUID().toString();
    }

    /** Protected by a property. */
    @PostMapping("/configured/thing")
    public String configured() {
        return UUID.randomUUID().toString();
    }
}
