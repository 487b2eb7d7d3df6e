// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.StoreException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;

/** Whether the table has the index for lists, which is optional and may be added at any time. */
final class DynamoListedCheck {
    private final DynamoCalls calls;
    private volatile boolean exists;

    DynamoListedCheck(DynamoCalls calls) {
        this.calls = calls;
    }

    /** @throws StoreException if the index does not exist, or is being built */
    void require() {
        if (exists) {
            return;
        }
        GlobalSecondaryIndexDescription index =
                DynamoTable.indexOf(DynamoFutures.await(calls.described()), DynamoTable.LISTED);
        if (index == null) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The table %s has no index \"%s\", so its claims cannot be listed: add it with %s or with %s"
                            .formatted(calls.table(), DynamoTable.LISTED, "DynamoMigration", DynamoTable.TEMPLATE));
        }
        if (index.indexStatus() != IndexStatus.ACTIVE) {
            throw new StoreException(
                    StoreException.Kind.BUSY,
                    "DynamoDB is still building the index \"%s\" of the table %s (%s)"
                            .formatted(DynamoTable.LISTED, calls.table(), index.indexStatusAsString()));
        }
        exists = true;
    }
}
