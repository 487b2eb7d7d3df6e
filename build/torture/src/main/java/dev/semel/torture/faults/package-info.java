// SPDX-License-Identifier: Apache-2.0
/** The faults: networks that fail, processes that stop, databases that crash. */
@NullMarked
package dev.semel.torture.faults;

import org.jspecify.annotations.NullMarked;
