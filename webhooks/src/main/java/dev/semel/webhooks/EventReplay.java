// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/**
 * An operator's order to process stored events again.
 *
 * @param actor the operator
 * @param reason why the events are replayed
 * @param verified whether the delivery was verified when it was received; it cannot be verified later
 */
public record EventReplay(String actor, String reason, boolean verified) {
    private static final int MAX = 100;

    public EventReplay {
        check("An actor", actor);
        check("A reason", reason);
    }

    /** Replays a delivery that was not verified, or of which that is unknown. */
    public EventReplay(String actor, String reason) {
        this(actor, reason, false);
    }

    /** The same order for a delivery that was verified when it was received. */
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

    /** The audit note that is stored with the claim of the replayed event. */
    String audit() {
        return "replayed by " + actor + ": " + reason;
    }
}
