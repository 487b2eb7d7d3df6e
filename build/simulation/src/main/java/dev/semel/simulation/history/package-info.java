// SPDX-License-Identifier: Apache-2.0
/**
 * Histories of what processes did with claims, and the rules that every history keeps. It needs nothing but the JDK, so that every
 * test that can write a history can use it: {@link dev.semel.simulation.history.HistoryChecker}.
 */
@NullMarked
package dev.semel.simulation.history;

import org.jspecify.annotations.NullMarked;
