// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Clients of DynamoDB Local, which accepts any credentials. */
public final class DynamoClients {
    /** The table with the claims. */
    public static final String TABLE = "torture";

    private static final String SCHEME = "dynamodb:";

    private DynamoClients() {}

    /** The URL of the claims by way of this port. */
    public static String url(int port) {
        return SCHEME + "http://127.0.0.1:" + port;
    }

    static boolean isMeant(String url) {
        return url.startsWith(SCHEME);
    }

    /**
     * A client of this URL.
     *
     * @param attempts how often the SDK sends a request at most
     */
    public static DynamoDbAsyncClient of(String url, int attempts) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(URI.create(url.substring(SCHEME.length())))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("anyKey", "anySecret")))
                .overrideConfiguration(setup -> setup.retryStrategy(strategy -> strategy.maxAttempts(attempts)))
                .build();
    }
}
