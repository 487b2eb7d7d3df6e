// SPDX-License-Identifier: Apache-2.0
/** HTTP as every resource needs it: routes, limits, identity, problems. */
@NullMarked
package dev.semel.server.http;

import org.jspecify.annotations.NullMarked;
