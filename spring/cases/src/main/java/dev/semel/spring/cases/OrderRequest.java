// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.util.List;
import java.util.Map;

/** An order as a client sends it. */
public record OrderRequest(String id, int amount, List<String> notes, Map<String, Integer> lines) {
    static OrderRequest of(String id, int amount) {
        return new OrderRequest(id, amount, List.of("a", "b"), Map.of("x", 1));
    }
}
