// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.ProcessHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** While a run's lease is valid, no other run begins, and no grant begins two runs. */
final class OneRunPerLease implements HistoryRule {
    @Override
    public String text() {
        return "no effect twice within one valid lease";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            List<Runs.Run> runs = Runs.leased(entries);
            runBefore(history, runs)
                    .ifPresent(again -> found.add(violation(
                            history,
                            item,
                            "run %x began although its grant had begun another"
                                    .formatted(again.began().run()))));
            for (Runs.Run first : runs) {
                for (Runs.Run second : runs) {
                    // A run that has no lease of its own is reported by the rule about leases, or excused there.
                    if (!first.began().token().equals(second.began().token())
                            && second.began().at() > first.began().at()
                            && second.began().at() < first.exclusiveUntil() - MARGIN
                            && second.began().leaseEnd() > second.began().at()) {
                        found.add(violation(
                                history,
                                item,
                                "run %x began while the lease of run %x was valid"
                                        .formatted(
                                                second.began().run(),
                                                first.began().run())));
                    }
                }
            }
        });
        return found;
    }

    /**
     * A run under the token of an earlier one. A worker does not always see which grant a run has. It may be wrong if it stood
     * still until its next grant.
     */
    private static Optional<Runs.Run> runBefore(ProcessHistory history, List<Runs.Run> runs) {
        Map<String, Runs.Run> first = new HashMap<>();
        return runs.stream()
                .filter(run -> {
                    Runs.Run earlier = first.putIfAbsent(run.began().token(), run);
                    return earlier != null
                            && history.stalled(
                                            run.process(),
                                            earlier.began().at()
                                                    - earlier.began().leaseMillis() * MILLION,
                                            run.began().at())
                                    == 0;
                })
                .findFirst();
    }
}
