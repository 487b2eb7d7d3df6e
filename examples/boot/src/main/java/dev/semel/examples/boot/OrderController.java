// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import dev.semel.spring.Idempotent;
import java.net.URI;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Receives orders. A request that is repeated with its {@code Idempotency-Key} receives the stored response: status, headers
 * and body. If the process died before the response was stored, the method runs again, and {@link OrderBook#place} returns the
 * order that it has already placed.
 */
@RestController
class OrderController {
    private final OrderBook orders;

    OrderController(OrderBook orders) {
        this.orders = orders;
    }

    @PostMapping("/orders")
    @Idempotent(scope = "orders.create")
    ResponseEntity<BookedOrder> create(@RequestBody OrderForm form) {
        BookedOrder order = orders.place(form);
        return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
    }
}
