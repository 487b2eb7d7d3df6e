// SPDX-License-Identifier: Apache-2.0
/** A Kafka consumer that processes each record once and commits offsets afterwards. */
@NullMarked
package dev.semel.kafka;

import org.jspecify.annotations.NullMarked;
