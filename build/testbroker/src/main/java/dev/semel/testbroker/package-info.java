// SPDX-License-Identifier: Apache-2.0
/** A Kafka broker for tests, as a program of its own. */
@NullMarked
package dev.semel.testbroker;

import org.jspecify.annotations.NullMarked;
