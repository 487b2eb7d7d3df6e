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

    exports dev.semel.dynamodb;
}
