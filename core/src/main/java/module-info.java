// SPDX-License-Identifier: Apache-2.0
/**
 * The engine that claims keys, runs work once and replays results, and the SPI for stores.
 *
 * <p>The packages {@code internal} and {@code lane} are not API. Only Semel's own modules can use them.
 */
@SuppressWarnings("module") // The modules named here are built after this one.
module dev.semel {
    requires static transitive org.jspecify;
    requires com.github.benmanes.caffeine;
    requires org.slf4j;

    exports dev.semel;
    exports dev.semel.claim;
    exports dev.semel.key;
    exports dev.semel.memory;
    exports dev.semel.replay;
    exports dev.semel.spi;
    exports dev.semel.internal to
            dev.semel.admin,
            dev.semel.dynamodb,
            dev.semel.jdbc,
            dev.semel.journal,
            dev.semel.micrometer,
            dev.semel.operations,
            dev.semel.payload,
            dev.semel.redis,
            dev.semel.tracing,
            dev.semel.webhooks;
    exports dev.semel.lane to
            dev.semel.dynamodb,
            dev.semel.jdbc,
            dev.semel.journal;
}
