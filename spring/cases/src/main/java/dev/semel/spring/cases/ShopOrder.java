// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An order as it is stored, with the types that results usually have. */
public record ShopOrder(
        String id,
        int amount,
        BigDecimal price,
        Instant at,
        LocalDate day,
        List<String> notes,
        Optional<String> coupon,
        @Nullable String missing) {}
