// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.semel.simulation.history;

import org.jspecify.annotations.NullMarked;
