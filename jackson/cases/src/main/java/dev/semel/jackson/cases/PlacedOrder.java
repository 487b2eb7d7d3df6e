// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson.cases;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A result with a member of every kind. */
public record PlacedOrder(
        String id,
        State state,
        List<Line> lines,
        Map<String, Integer> stock,
        Optional<String> coupon,
        Optional<Line> gift,
        Instant placedAt,
        LocalDate day,
        OffsetDateTime local,
        ZonedDateTime zoned,
        Duration took) {
    /** Written by its name, not by {@code toString()}. */
    public enum State {
        PAID,
        SHIPPED;

        @Override
        public String toString() {
            return name().charAt(0) + "...";
        }
    }

    /** A nested record. The price keeps its scale. */
    public record Line(String item, BigDecimal price) {}

    /** An order whose members all have a value that is easily lost. */
    public static PlacedOrder sample() {
        return new PlacedOrder(
                "order-17 \u00e9\ud83d\ude00",
                State.SHIPPED,
                List.of(new Line("book", new BigDecimal("10.00")), new Line("pen", new BigDecimal("1E+3"))),
                Map.of("book", 3),
                Optional.empty(),
                Optional.of(new Line("card", new BigDecimal("0.000"))),
                Instant.parse("2026-03-29T00:59:59.123456789Z"),
                LocalDate.parse("2026-02-28"),
                OffsetDateTime.parse("2026-03-29T03:30+02:00"),
                ZonedDateTime.parse("2026-10-25T02:30+01:00[Europe/Paris]"),
                Duration.ofMillis(1500));
    }

    /** The stored form of {@link #sample}. */
    public static String sampleJson() {
        return """
                {"id":"order-17 \u00e9\\uD83D\\uDE00","state":"SHIPPED",\
                "lines":[{"item":"book","price":10.00},{"item":"pen","price":1E+3}],"stock":{"book":3},\
                "coupon":null,"gift":{"item":"card","price":0.000},\
                "placedAt":"2026-03-29T00:59:59.123456789Z","day":"2026-02-28","local":"2026-03-29T03:30:00+02:00",\
                "zoned":"2026-10-25T02:30:00+01:00[Europe/Paris]","took":"PT1.5S"}""";
    }
}
