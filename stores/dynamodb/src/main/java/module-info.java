// SPDX-License-Identifier: Apache-2.0
/** Claims in Amazon DynamoDB. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // The SDK has no module descriptors.
module dev.semel.dynamodb {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive software.amazon.awssdk.services.dynamodb;
    requires software.amazon.awssdk.awscore;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.http;

    // The HTTP client and Netty have to be found on the module path. The SDK itself cannot require them.
    requires software.amazon.awssdk.http.nio.netty;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;

    exports dev.semel.dynamodb;
}
