// SPDX-License-Identifier: Apache-2.0
/** Settings: their sources, their validation and their values. */
@NullMarked
package dev.semel.server.config;

import org.jspecify.annotations.NullMarked;
