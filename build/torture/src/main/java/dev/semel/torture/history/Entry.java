// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

/**
 * An event and who saw it.
 *
 * @param process the name of the process
 */
public record Entry(String process, RecordedEvent event) {
    @Override
    public String toString() {
        return "%-12s %s"
                .formatted(process, HistoryLine.of(event).stripTrailing().replace('\t', ' '));
    }
}
