// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.List;

/** A benchmark: its name on the command line, and what it adds to the report. */
interface Benchmark {
    String name();

    List<? extends ReportPart> run(Paired.Effort effort) throws Exception;
}
