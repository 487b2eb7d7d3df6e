// SPDX-License-Identifier: Apache-2.0
/** DynamoDB Local for tests, as a program of its own. */
@NullMarked
package dev.semel.testdynamo;

import org.jspecify.annotations.NullMarked;
