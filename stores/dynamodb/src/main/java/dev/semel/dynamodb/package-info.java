// SPDX-License-Identifier: Apache-2.0
/** Claims in Amazon DynamoDB. */
@NullMarked
package dev.semel.dynamodb;

import org.jspecify.annotations.NullMarked;
