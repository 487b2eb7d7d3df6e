// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.Collector;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** A table as a template for CloudFormation. The names of tables, attributes and indexes need no escapes in JSON. */
final class DynamoTemplate {
    private static final String TEMPLATE = """
            {
              "AWSTemplateFormatVersion": "2010-09-09",
              "Description": "The table of Semel's claims. Do not make it a global table: one region must own a key.",
              "Parameters": {
                "TableName": {
                  "Type": "String",
                  "Default": "%s"
                }
              },
              "Resources": {
                "Claims": {
                  "Type": "AWS::DynamoDB::Table",
                  "DeletionPolicy": "Retain",
                  "UpdateReplacePolicy": "Retain",
                  "Properties": {
                    "TableName": { "Ref": "TableName" },
                    "BillingMode": "%s",
                    "AttributeDefinitions": [
                      %s
                    ],
                    "KeySchema": [
                      %s
                    ],
                    "GlobalSecondaryIndexes": [
            %s
                    ],
                    "TimeToLiveSpecification": { "AttributeName": "%s", "Enabled": true }
                  }
                }
              }
            }
            """;

    private static final String INDEX = """
                      {
                        "IndexName": "%s",
                        "KeySchema": [
                          %s
                        ],
                        "Projection": { "ProjectionType": "%s"%s }
                      }\
            """;

    private DynamoTemplate() {}

    static String of(CreateTableRequest table) {
        return TEMPLATE.formatted(
                table.tableName(),
                table.billingModeAsString(),
                table.attributeDefinitions().stream()
                        .map(DynamoTemplate::attribute)
                        .collect(separated(10)),
                keys(table.keySchema(), 10),
                table.globalSecondaryIndexes().stream()
                        .map(DynamoTemplate::index)
                        .collect(joining(",\n")),
                DynamoTimeToLive.ATTRIBUTE);
    }

    private static Collector<CharSequence, ?, String> separated(int indent) {
        return joining(",\n" + " ".repeat(indent));
    }

    private static String attribute(AttributeDefinition attribute) {
        return "{ \"AttributeName\": \"%s\", \"AttributeType\": \"%s\" }"
                .formatted(attribute.attributeName(), attribute.attributeTypeAsString());
    }

    private static String keys(List<KeySchemaElement> keys, int indent) {
        return keys.stream()
                .map(key -> "{ \"AttributeName\": \"%s\", \"KeyType\": \"%s\" }"
                        .formatted(key.attributeName(), key.keyTypeAsString()))
                .collect(separated(indent));
    }

    private static String index(GlobalSecondaryIndex index) {
        List<String> more = index.projection().nonKeyAttributes();
        return INDEX.formatted(
                index.indexName(),
                keys(index.keySchema(), 14),
                index.projection().projectionTypeAsString(),
                more.isEmpty() ? "" : ", \"NonKeyAttributes\": [\"" + String.join("\", \"", more) + "\"]");
    }
}
