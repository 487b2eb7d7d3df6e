// SPDX-License-Identifier: Apache-2.0
/** Spring Kafka listeners that process each record once and acknowledge it afterwards. */
@NullMarked
package dev.semel.spring.kafka;

import org.jspecify.annotations.NullMarked;
