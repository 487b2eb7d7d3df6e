// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.ProcessHistory;
import java.util.ArrayList;
import java.util.List;

/** While a run's lease is valid, no other run begins. */
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
}
