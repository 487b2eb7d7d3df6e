// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DynamoUrl;
import dev.semel.server.config.ServerSettings;
import dev.semel.server.storage.DynamoConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The table in DynamoDB, and how it is reached. */
final class DynamoChecks {
    private DynamoChecks() {}

    static List<Finding> of(DynamoUrl address) {
        List<Finding> all = new ArrayList<>();
        address.endpoint().flatMap(DynamoChecks::unencrypted).ifPresent(all::add);
        try (DynamoConnection connection = DynamoConnection.open(address)) {
            all.addAll(table(connection.requireTable()));
        } catch (ConfigException e) {
            all.add(Finding.error(
                    "database",
                    String.valueOf(e.getMessage()),
                    "Make the table available, then run `semel doctor` again"));
        }
        return all;
    }

    private static Optional<Finding> unencrypted(URI endpoint) {
        if (endpoint.getScheme().equals("https") || ServerSettings.isLoopback(endpoint.getHost())) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                "dynamodb.endpoint",
                "The endpoint is not encrypted, so others on the network can read claims and results that are not sealed",
                "Use https in the endpoint of database.url"));
    }

    private static List<Finding> table(TableDescription table) {
        List<Finding> all = new ArrayList<>();
        if (table.hasReplicas() && !table.replicas().isEmpty()) {
            all.add(Finding.error(
                    "dynamodb.replicas",
                    "The table is a global table: writes in two regions both succeed, so a key can have two owners",
                    "Remove the replicas of the table %s".formatted(table.tableName())));
        }
        if (!Boolean.TRUE.equals(table.deletionProtectionEnabled())) {
            all.add(Finding.warning(
                    "dynamodb.deletion_protection",
                    "The table can be deleted by mistake, and without it no key is recognized",
                    "aws dynamodb update-table --table-name %s --deletion-protection-enabled"
                            .formatted(table.tableName())));
        }
        return all;
    }
}
