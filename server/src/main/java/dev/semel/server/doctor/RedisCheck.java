// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Memory and eviction policy of Redis, which is a cache here. */
final class RedisCheck {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final String MEMORY = "CONFIG SET maxmemory 256mb";
    private static final String POLICY = "CONFIG SET maxmemory-policy allkeys-lru";

    private RedisCheck() {}

    static List<Finding> of(URI url) {
        RedisURI uri = RedisURI.create(url);
        uri.setTimeout(LONGEST);
        RedisClient client = RedisClient.create(uri);
        try {
            // INFO is allowed where CONFIG is not, such as on managed servers.
            return memory(client.connect().sync().info("memory"));
        } catch (RedisException e) {
            return List.of(Finding.warning(
                    "redis",
                    "Redis is unavailable (%s), so replays come from the database"
                            .formatted(e.getClass().getSimpleName()),
                    "Check that Redis runs, and the host, the user and the password in redis.url"));
        } finally {
            client.shutdown(Duration.ZERO, LONGEST);
        }
    }

    private static List<Finding> memory(String info) {
        Map<String, String> values = new HashMap<>();
        info.lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> values.put(pair[0], pair[1].strip()));
        List<Finding> all = new ArrayList<>();
        if (values.getOrDefault("maxmemory", "0").equals("0")) {
            all.add(Finding.warning(
                    "redis.maxmemory",
                    "Redis has no memory limit and can use all memory of its machine",
                    MEMORY + " (or more), and in redis.conf"));
        }
        String policy = values.getOrDefault("maxmemory_policy", "");
        if (policy.equals("noeviction")) {
            all.add(Finding.warning(
                    "redis.maxmemory_policy",
                    "The eviction policy is noeviction: when Redis is full, it refuses new entries and caches nothing more",
                    POLICY + ", and in redis.conf"));
        }
        return all;
    }
}
