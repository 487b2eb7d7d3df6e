// SPDX-License-Identifier: Apache-2.0
/**
 * Runs several engines on one thread, one store and a virtual clock. A seed decides everything that happens, so a seed that breaks
 * a rule breaks it again: {@link dev.semel.simulation.Simulation}.
 */
@NullMarked
package dev.semel.simulation;

import org.jspecify.annotations.NullMarked;
