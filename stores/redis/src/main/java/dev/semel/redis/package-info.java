// SPDX-License-Identifier: Apache-2.0
/** A replay cache in Redis that all instances share. The store stays authoritative. */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
