// SPDX-License-Identifier: Apache-2.0
/** Messages about alerts. */
@NullMarked
package dev.semel.server.alerts;

import org.jspecify.annotations.NullMarked;
