// SPDX-License-Identifier: Apache-2.0
/** A Kafka consumer that records payments once. */
@NullMarked
package dev.semel.examples.kafka;

import org.jspecify.annotations.NullMarked;
