// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.redis.RedisReplayCache;
import dev.semel.replay.SharedReplayCache;
import dev.semel.spring.cases.ActuatorCases;

class Boot4ActuatorTest extends ActuatorCases {
    @Override
    protected long hits(SharedReplayCache cache) {
        return ((RedisReplayCache) cache).hits();
    }
}
