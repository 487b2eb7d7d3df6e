// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import java.util.concurrent.atomic.AtomicLong;

/** What a run has done so far. */
final class Figures {
    final AtomicLong operations = new AtomicLong();
    final AtomicLong kills = new AtomicLong();
    final AtomicLong faults = new AtomicLong();
    final AtomicLong events = new AtomicLong();

    @Override
    public String toString() {
        return "%,d operations, %,d kills, %,d other faults, %,d events"
                .formatted(operations.get(), kills.get(), faults.get(), events.get());
    }
}
