// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.List;

/** Something that is measured: a name to ask for it by, and the lines that it adds to the results. */
interface Benchmark {
    String name();

    /** Whether it takes long enough to be left out unless asked for. */
    default boolean large() {
        return false;
    }

    List<Result> run(Paired.Effort effort) throws Exception;
}
