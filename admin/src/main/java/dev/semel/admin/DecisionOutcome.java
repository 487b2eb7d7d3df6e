// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.spi.ClaimEntry;

/** The outcome of an operator's decision. */
public sealed interface DecisionOutcome {
    /** The claim is settled as decided. The same decision sent again has this outcome too. */
    record Decided(ClaimEntry claim) implements DecisionOutcome {}

    /** The claim has changed since the operator read it. The decision was not stored; read the claim again. */
    record MovedOn(ClaimEntry claim) implements DecisionOutcome {}

    /** Its owner is working on it. Nothing was changed: wait until it settles or its lease ends. */
    record InProgress(ClaimEntry claim) implements DecisionOutcome {}

    /** There is no such claim. */
    record Absent() implements DecisionOutcome {}
}
