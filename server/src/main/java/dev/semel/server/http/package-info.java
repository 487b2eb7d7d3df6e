// SPDX-License-Identifier: Apache-2.0
/** HTTP infrastructure for all resources: routes, limits, identities and problems. */
@NullMarked
package dev.semel.server.http;

import org.jspecify.annotations.NullMarked;
