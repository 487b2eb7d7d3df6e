// SPDX-License-Identifier: Apache-2.0
/** The HTTP API for webhooks: the gates that receive them and the inbox that consumers read. */
@NullMarked
package dev.semel.server.webhooks;

import org.jspecify.annotations.NullMarked;
