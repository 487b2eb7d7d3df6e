// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson2;

import dev.semel.Codec;
import dev.semel.jackson.cases.ReplayCases;

class JacksonReplayTest extends ReplayCases {
    @Override
    protected <T> Codec<T> codec(Class<T> type) {
        return JacksonCodec.of(type);
    }
}
