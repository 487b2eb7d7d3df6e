// SPDX-License-Identifier: Apache-2.0
/** A corpus of requests that are wrong, each by one thing that a table names. */
package dev.semel.acceptance.hostile;
