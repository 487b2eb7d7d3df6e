// SPDX-License-Identifier: Apache-2.0
package dev.semel.model;

/** The bugs that {@code Clock.tla} can be told to have, each with a configuration in which it is found. */
enum ClockBug {
    TAKE_OVER_BY_HI("TakeOverByHi", "Clock.cfg"),
    TAKE_OVER_BY_OWN_CLOCK("TakeOverByOwnClock", "Clock.cfg"),
    NO_MARGIN("NoMargin", "Clock.cfg"),
    RENEWAL_SHORTENS("RenewalShortens", "Clock.cfg"),
    LATE_GRANT_UNNOTICED("LateGrantUnnoticed", "Suspended.cfg"),
    DATE_IGNORED("DateIgnored", "Suspended.cfg");

    static final String INVARIANT = "OneOwner";

    final String constant;
    final String configuration;

    ClockBug(String constant, String configuration) {
        this.constant = constant;
        this.configuration = configuration;
    }

    /** As parameterized tests show it. */
    @Override
    public String toString() {
        return constant;
    }
}
