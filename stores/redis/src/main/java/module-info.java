// SPDX-License-Identifier: Apache-2.0
/** A replay cache in Redis that several instances share. */
@SuppressWarnings("requires-automatic") // Lettuce has no module descriptor.
module dev.semel.redis {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires lettuce.core;
    requires org.slf4j;

    // Lettuce needs these but cannot require them itself. Without them, it finds no classes of theirs on the module
    // path.
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires jdk.net;

    exports dev.semel.redis;
}
