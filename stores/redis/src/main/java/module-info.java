// SPDX-License-Identifier: Apache-2.0
/** A replay cache in Redis that several instances share. */
@SuppressWarnings("requires-automatic") // Lettuce has no module descriptor.
module dev.semel.redis {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires lettuce.core;
    requires org.slf4j;

    exports dev.semel.redis;
}
