// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.List;

/** A benchmark: its name on the command line, and the lines that it adds to the results. */
interface Benchmark {
    String name();

    /** Whether it takes so long that it runs only on request. */
    default boolean large() {
        return false;
    }

    List<Result> run(Paired.Effort effort) throws Exception;
}
