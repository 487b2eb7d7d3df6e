// SPDX-License-Identifier: Apache-2.0
/** A replay cache in Redis, shared by all instances; it answers what it knows and decides nothing. */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
