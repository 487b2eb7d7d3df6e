// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.time.Duration;

/**
 * How long a benchmark takes, for the progress bar and the help.
 *
 * @param startSeconds for servers, schema and rows, whatever the effort
 * @param pairs of contenders
 * @param warmUps in units of the usual warm-up: one of Semel's server counts three
 * @param searches for the best pool size
 */
record Cost(int startSeconds, int pairs, int warmUps, int searches) {
    private static final int SIZES = 4;
    private static final int SHORT_WARM_UPS = 2;

    Duration at(Effort effort) {
        Duration rounds = effort.round()
                .multipliedBy(2L * effort.rounds())
                .plus(effort.warmUpAgain().multipliedBy(SHORT_WARM_UPS));
        return Duration.ofSeconds(startSeconds)
                .plus(rounds.multipliedBy(pairs))
                .plus(effort.warmUp().multipliedBy(warmUps))
                .plus(effort.round().multipliedBy((long) SIZES * searches));
    }
}
