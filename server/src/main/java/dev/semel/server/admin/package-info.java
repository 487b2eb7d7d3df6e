// SPDX-License-Identifier: Apache-2.0
/** Mounts the admin API: keys, decisions and their history. */
@NullMarked
package dev.semel.server.admin;

import org.jspecify.annotations.NullMarked;
