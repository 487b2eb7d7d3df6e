// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import java.util.OptionalDouble;

/** The conditions that are worth a look. Each is a share of events in a window. */
public enum AlertRule {
    /** More than 5 % of the work was taken over from an owner whose lease had ended. */
    TAKE_OVER_RATE(0.05, true) {
        @Override
        OptionalDouble value(ScopeCounts counts, long minimum) {
            return share(counts.of(Kind.TAKEN_OVER), counts.misses(), minimum);
        }
    },
    /**
     * Fewer than 30 % of the calls were answered with a stored outcome. Not for webhooks: providers deliver most events once if
     * everything is well.
     */
    HIT_RATE(0.30, false) {
        @Override
        boolean concerns(String scope) {
            return !scope.startsWith("webhook:");
        }

        @Override
        OptionalDouble value(ScopeCounts counts, long minimum) {
            return share(counts.hits(), counts.hits() + counts.misses(), minimum);
        }
    },
    /** More than 10 % of the work failed. */
    FAILURE_RATE(0.10, true) {
        @Override
        OptionalDouble value(ScopeCounts counts, long minimum) {
            return share(counts.failures(), counts.settled(), minimum);
        }
    };

    private final double threshold;
    private final boolean above;

    AlertRule(double threshold, boolean above) {
        this.threshold = threshold;
        this.above = above;
    }

    public double threshold() {
        return threshold;
    }

    /** Whether a value above the threshold fires; otherwise one below does. */
    public boolean firesAbove() {
        return above;
    }

    /** Whether the rule is evaluated for a scope. */
    boolean concerns(String scope) {
        return true;
    }

    boolean fires(double value) {
        return above ? value > threshold : value < threshold;
    }

    /** The share; empty if there were fewer events than the minimum. */
    abstract OptionalDouble value(ScopeCounts counts, long minimum);

    private static OptionalDouble share(long part, long all, long minimum) {
        return all < Math.max(1, minimum) ? OptionalDouble.empty() : OptionalDouble.of((double) part / all);
    }
}
