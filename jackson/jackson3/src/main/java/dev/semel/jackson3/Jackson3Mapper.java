// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson3;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The mapper of codecs without a mapper of their own. It has no default typing. What was written is read back unchanged: times
 * keep their zone, and decimal numbers their scale. It starts from the defaults of Jackson 2, so that {@code semel-jackson2}
 * and {@code semel-jackson3} read each other's results.
 */
final class Jackson3Mapper {
    static final ObjectMapper DEFAULT = JsonMapper.builderWithJackson2Defaults()
            .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Jackson3Mapper() {}
}
