// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

/** What Amazon DynamoDB and the way to it do to a request, and DynamoDB Local does not. */
public enum DynamoFault {
    /** The request is refused with status 400, because the table or the account is too busy. */
    THROTTLED,
    /** A write is refused because of a transaction about the same item. */
    CONFLICT,
    /** Status 500, and the request has no effect. */
    ERROR_BEFORE,
    /** Status 500, although the request has taken effect. */
    ERROR_AFTER,
    /** The request takes effect, and is never answered. The connection stays open. */
    NO_ANSWER,
    /** The answer comes up to three seconds late. */
    SLOW,
    /** The date of the answer is about an hour wrong, or missing. */
    WRONG_DATE,
    /** The request arrives twice: the second time at once, and that answer counts, or up to two seconds later. */
    TWICE
}
