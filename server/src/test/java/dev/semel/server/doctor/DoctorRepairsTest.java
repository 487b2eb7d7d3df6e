// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Findings that an operator clears outside of the database's settings: servers, secrets, retention, tables. */
class DoctorRepairsTest extends DoctorScene {
    /** As after an upgrade of the program, before the tables are upgraded. */
    @ParameterizedTest
    @EnumSource
    void tablesOfAnEarlierVersion(Kind kind) throws Exception {
        on(kind);
        migrate();
        for (String column : List.of("taken_until", "take_token", "taken_by")) {
            execute("ALTER TABLE webhook_inbox DROP COLUMN " + column);
        }
        execute("DELETE FROM semel_records_schema_version WHERE version = 4");
        assertThat(finding("schema").fix()).contains("semel migrate");

        migrate();

        assertThat(findings()).extracting(Finding::check).doesNotContain("schema");
    }

    /** A migration refuses them, so it is not the fix. */
    @ParameterizedTest
    @EnumSource
    void tablesThatCannotBeConverted(Kind kind) throws Exception {
        on(kind);
        migrate();
        execute("ALTER TABLE idempotency_keys ADD COLUMN updated_at timestamp");
        assertThat(finding("schema").fix()).contains("drop Semel's tables").doesNotContain("semel migrate");
    }

    @Test
    void aRedisThatRefusesEntriesWhenItIsFull() throws Exception {
        on(Kind.SQLITE);
        migrate();
        try (RedisServer redis = RedisServer.start(Map.of("maxmemory", "0", "maxmemory-policy", "noeviction"))) {
            more = SECRET + "redis: {url: \"%s\"}\n".formatted(redis.uri());
            List<Finding> found = findings();
            assertThat(found).extracting(Finding::check).containsExactly("redis.maxmemory", "redis.maxmemory_policy");

            try (RedisClient client = RedisClient.create(redis.uri())) {
                for (Finding finding : found) {
                    String[] words =
                            finding.fix().replaceFirst("[,(].*", "").strip().split(" ", -1);
                    client.connect().sync().configSet(words[2], words[3]);
                }
            }
            assertThat(findings()).isEmpty();

            redis.kill();
            assertThat(finding("redis").fix()).contains("Check that Redis runs");
            redis.restart();
            assertThat(findings()).extracting(Finding::check).doesNotContain("redis");
        }
    }

    @Test
    void anUnavailableDatabaseIsAFinding() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            on(server);
            migrate();
            server.kill();
            assertThat(finding("database").problem()).contains("is unavailable");
            assertThat(finding("database").fix()).contains("Make the database available");

            server.restart();

            assertThat(findings()).extracting(Finding::check).doesNotContain("database");
        }
    }

    @Test
    void aSecretThatIsMissingOrWeak() throws Exception {
        on(Kind.POSTGRESQL);
        more = "";
        assertThat(finding("secret").level()).isEqualTo(Finding.Level.ERROR);
        more = "secret: " + "ab".repeat(16) + "\n";
        Finding weak = finding("secret.strength");
        assertThat(weak.level()).isEqualTo(Finding.Level.ERROR);
        assertThat(weak.problem() + weak.fix()).doesNotContain("abab");
        more = SECRET;
        assertThat(findings()).extracting(Finding::check).doesNotContain("secret", "secret.strength");
    }

    @Test
    void keysThatAreKeptForLessThanTheSenderRetries() throws Exception {
        on(Kind.SQLITE);
        more = SECRET + "webhooks: {stripe: {ttl_hours: 1}}\n";
        String fix = finding("webhooks.stripe.ttl").fix();

        more = SECRET + "webhooks: {stripe: {%s}}\n".formatted(fix.replaceFirst("Set webhooks.stripe.", ""));

        assertThat(findings()).extracting(Finding::check).doesNotContain("webhooks.stripe.ttl");
    }
}
