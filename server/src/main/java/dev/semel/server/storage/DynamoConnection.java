// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.claim.StoreException;
import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.dynamodb.DynamoMigration;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DynamoUrl;
import dev.semel.server.config.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The client of the configured table in DynamoDB, with credentials of the SDK's default chain. */
public final class DynamoConnection implements AutoCloseable {
    private static final String TEMPLATE = "table.template.json";

    /** For requests that the store does not limit itself: whether the table exists, and to create it. */
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(30);

    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(10);

    /** Semel sends commands again itself. */
    private static final int ATTEMPTS = 3;

    private static final int EVENT_LOOPS = 2;

    /** More than the store has in flight. */
    private static final int MAX_CONNECTIONS = 100;

    private final DynamoUrl address;
    private final DynamoDbAsyncClient client;

    private DynamoConnection(DynamoUrl address, DynamoDbAsyncClient client) {
        this.address = address;
        this.client = client;
    }

    /**
     * Opens a client. It connects with the first request.
     *
     * @throws ConfigException if there are no credentials
     */
    public static DynamoConnection open(DynamoUrl address) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .region(Region.of(address.region()))
                .credentialsProvider(credentials())
                .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(MAX_CONNECTIONS)
                        .tcpKeepAlive(true)
                        .eventLoopGroupBuilder(SdkEventLoopGroup.builder().numberOfThreads(EVENT_LOOPS)))
                .overrideConfiguration(setup -> setup.apiCallTimeout(LONGEST_REQUEST)
                        .apiCallAttemptTimeout(LONGEST_ATTEMPT)
                        .retryStrategy(retries -> retries.maxAttempts(ATTEMPTS)));
        address.endpoint().ifPresent(builder::endpointOverride);
        return new DynamoConnection(address, builder.build());
    }

    /** Finds the credentials now, because the SDK would report their absence as a failed request. */
    private static AwsCredentialsProvider credentials() {
        AwsCredentialsProvider credentials =
                DefaultCredentialsProvider.builder().build();
        try {
            credentials.resolveCredentials();
            return credentials;
        } catch (SdkClientException e) {
            // Do not use the message. It may quote files with credentials.
            throw new ConfigException("The AWS SDK finds no credentials for DynamoDB. Set AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine, the container or the pod a role;"
                    + " DynamoDB Local accepts any values");
        }
    }

    /** Returns the CloudFormation template of the table. */
    public static String template() {
        try (InputStream in = DynamoClaimStore.class.getResourceAsStream(TEMPLATE)) {
            return new String(Objects.requireNonNull(in, TEMPLATE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DynamoUrl address() {
        return address;
    }

    public DynamoDbAsyncClient client() {
        return client;
    }

    /**
     * Creates the table, or adds what an existing one lacks, and waits until it can be used.
     *
     * @return what was done
     * @throws ConfigException if it cannot be changed, or is not one of Semel's
     */
    public List<String> migrate() {
        try {
            return DynamoMigration.of(client, address.table()).run().stream()
                    .map(DynamoMigration.Step::description)
                    .toList();
        } catch (StoreException e) {
            throw unusable(e);
        }
    }

    /**
     * Returns the description of the table, which is one of Semel's.
     *
     * @throws ConfigException if it is missing, is not one of Semel's, or cannot be read
     */
    public TableDescription requireTable() {
        try {
            DynamoClaimStore.on(client, address.table());
            return client.describeTable(request -> request.tableName(address.table()))
                    .join()
                    .table();
        } catch (StoreException e) {
            throw unusable(e);
        } catch (CompletionException e) {
            throw unusable(new StoreException(StoreException.Kind.UNREACHABLE, "The table cannot be described", e));
        }
    }

    /** Describes why the table cannot be used, and what to do, without secrets. */
    public ConfigException unusable(StoreException failure) {
        if (FailureCauses.isCausedBy(failure, ResourceNotFoundException.class)) {
            return new ConfigException(
                    "The table %1$s does not exist in %2$s. Correct the URL, or create the table: run `semel migrate --database-url %3$s`, or use the CloudFormation template that it prints with --print"
                            .formatted(address.table(), where(), address));
        }
        if (FailureCauses.isCausedBy(failure, UnknownHostException.class)) {
            return new ConfigException("The endpoint of %s cannot be found. Check the network%s"
                    .formatted(
                            address,
                            similarRegion()
                                    .map(" and the region: did you mean %s?"::formatted)
                                    .orElse(" and the endpoint")));
        }
        boolean unanswered = !FailureCauses.isCausedBy(failure, AwsServiceException.class);
        if (unanswered && failure.kind() == StoreException.Kind.UNREACHABLE) {
            return new ConfigException(
                    "%s does not answer (%s). Check that the region, the endpoint and the network are correct%s"
                            .formatted(
                                    address,
                                    FailureCauses.reason(failure),
                                    similarRegion()
                                            .map(": did you mean %s?"::formatted)
                                            .orElse("")));
        }
        return new ConfigException("%s cannot be used: %s".formatted(address, failure.getMessage()));
    }

    private String where() {
        return address.region()
                + address.endpoint().map(endpoint -> " at " + endpoint).orElse("");
    }

    /** The nearest region of AWS; empty if this is one. */
    private Optional<String> similarRegion() {
        return Region.regions().stream().anyMatch(known -> known.id().equals(address.region()))
                ? Optional.empty()
                : NearestName.to(
                        address.region(),
                        Region.regions().stream().map(Region::id).toList());
    }

    @Override
    public void close() {
        client.close();
    }
}
