// SPDX-License-Identifier: Apache-2.0
/** The command: starts worker processes, injects faults, checks the histories, plants defects. */
@NullMarked
package dev.semel.torture;

import org.jspecify.annotations.NullMarked;
