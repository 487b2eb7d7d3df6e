// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.claim.StoreException;
import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.spring.SemelProperties.DynamoDb;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/**
 * The table in DynamoDB, by the application's client. Without a client bean, one is made with the application's credentials and
 * region, which Spring Cloud AWS offers as beans, or else with those that the AWS SDK finds.
 */
final class DynamoTableAccess implements AutoCloseable {
    /** Semel sends commands again itself. */
    private static final int ATTEMPTS = 3;

    private final DynamoDb properties;
    private final DynamoDbAsyncClient client;
    private final boolean own;

    private DynamoTableAccess(DynamoDb properties, DynamoDbAsyncClient client, boolean own) {
        this.properties = properties;
        this.client = client;
        this.own = own;
    }

    static DynamoTableAccess of(DynamoDb properties, ListableBeanFactory beans) {
        DynamoDbAsyncClient known = clientOf(beans);
        return known == null
                ? new DynamoTableAccess(properties, made(properties, beans), true)
                : new DynamoTableAccess(properties, known, false);
    }

    private static @Nullable DynamoDbAsyncClient clientOf(ListableBeanFactory beans) {
        try {
            return beans.getBeanProvider(DynamoDbAsyncClient.class).getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidSetupException(
                    "The application has several DynamoDbAsyncClient beans and none is primary.",
                    "Mark the one for the table of the claims @Primary.",
                    e);
        }
    }

    private static DynamoDbAsyncClient made(DynamoDb properties, ListableBeanFactory beans) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .overrideConfiguration(setup -> setup.retryStrategy(retries -> retries.maxAttempts(ATTEMPTS)));
        beans.getBeanProvider(AwsCredentialsProvider.class).ifUnique(builder::credentialsProvider);
        if (properties.region() != null) {
            builder.region(Region.of(properties.region()));
        } else {
            beans.getBeanProvider(AwsRegionProvider.class).ifUnique(provider -> builder.region(provider.getRegion()));
        }
        if (properties.endpoint() != null) {
            builder.endpointOverride(properties.endpoint());
        }
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new InvalidSetupException(
                    "Semel cannot make a client of DynamoDB: the AWS SDK finds no region.",
                    "Set semel.dynamodb.region or AWS_REGION, or define a DynamoDbAsyncClient bean.",
                    e);
        }
    }

    /** Checks the table, and creates it if the properties say so. */
    DynamoClaimStore store() {
        try {
            return properties.createTable()
                    ? DynamoClaimStore.creating(client, properties.table())
                    : DynamoClaimStore.on(client, properties.table());
        } catch (StoreException e) {
            throw new InvalidSetupException(
                    "Semel cannot use the table %s of DynamoDB: %s.".formatted(properties.table(), e.getMessage()),
                    "Check semel.dynamodb.table, the region and the credentials. To create the table, use the CloudFormation template"
                            + " dev/semel/dynamodb/table.template.json in semel-dynamodb, or for a try semel.dynamodb.create-table=true.",
                    e);
        }
    }

    /** Closes the client, unless it is the application's. */
    @Override
    public void close() {
        if (own) {
            client.close();
        }
    }
}
