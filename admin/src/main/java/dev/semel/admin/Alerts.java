// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Evaluates the rules over the window of the statistics. Nothing is stored: an alert clears when its condition ends. */
public final class Alerts {
    private final ClaimStatistics statistics;
    private final Set<AlertRule> rules;
    private final long minimum;

    /**
     * @param rules the rules that are evaluated
     * @param minimum how many events a scope must have in the window before a rule can fire
     */
    public Alerts(ClaimStatistics statistics, Set<AlertRule> rules, long minimum) {
        this.statistics = statistics;
        this.rules = Set.copyOf(rules);
        this.minimum = minimum;
    }

    public ClaimStatistics statistics() {
        return statistics;
    }

    public long minimum() {
        return minimum;
    }

    /** The alerts of a tenant that fire now. */
    public List<Alert> firing(String tenant) {
        return firing(tenant, statistics.of(tenant));
    }

    /** The alerts of all tenants that fire now. */
    public List<Alert> firing() {
        List<Alert> all = new ArrayList<>();
        statistics.all().forEach((tenant, counts) -> all.addAll(firing(tenant, counts)));
        return all;
    }

    private List<Alert> firing(String tenant, Map<String, ScopeCounts> scopes) {
        List<Alert> firing = new ArrayList<>();
        scopes.forEach((scope, counts) -> {
            for (AlertRule rule : AlertRule.values()) {
                if (rules.contains(rule) && rule.concerns(scope)) {
                    rule.value(counts, minimum).ifPresent(value -> {
                        if (rule.fires(value)) {
                            firing.add(new Alert(tenant, scope, rule, value));
                        }
                    });
                }
            }
        });
        return firing;
    }
}
