// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.SweepReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that records events. */
final class RecordedEvents implements ClaimListener {
    private final List<ClaimEvent> events = new CopyOnWriteArrayList<>();
    private final List<SweepReport> sweeps = new CopyOnWriteArrayList<>();

    @Override
    public void onClaim(ClaimEvent event) {
        events.add(event);
    }

    @Override
    public void onSweep(SweepReport report) {
        sweeps.add(report);
    }

    List<ClaimEvent> events() {
        return List.copyOf(events);
    }

    List<ClaimEvent.Kind> kinds() {
        return events.stream().map(ClaimEvent::kind).toList();
    }

    List<SweepReport> sweeps() {
        return List.copyOf(sweeps);
    }
}
