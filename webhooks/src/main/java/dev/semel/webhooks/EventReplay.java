// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/**
 * An operator's order to process stored events again, though they were processed before.
 *
 * @param actor who orders it
 * @param reason why
 * @param verified whether the delivery had been verified when it came: nobody can do so any more
 */
public record EventReplay(String actor, String reason, boolean verified) {
    private static final int MAX = 100;

    public EventReplay {
        check("An actor", actor);
        check("A reason", reason);
    }

    /** Of a delivery of which nobody knows whether it was verified. */
    public EventReplay(String actor, String reason) {
        this(actor, reason, false);
    }

    /** The same order, of a delivery that was verified when it came. */
    public EventReplay ofVerified() {
        return new EventReplay(actor, reason, true);
    }

    private static void check(String name, String text) {
        boolean fit = !text.isBlank()
                && text.length() <= MAX
                && text.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c));
        if (!fit) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters, without control characters".formatted(name, MAX));
        }
    }

    /** As it stands beside the claim of the replayed event, for as long as that is kept. */
    String audit() {
        return "replayed by " + actor + ": " + reason;
    }
}
