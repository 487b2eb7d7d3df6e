// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

/** What a benchmark reports: a line of the common table, or a table of its own. */
sealed interface ReportPart permits Result, Table {}
