// SPDX-License-Identifier: Apache-2.0
/** What a person or a tool reads: health, the API's description, the documentation. */
@NullMarked
package dev.semel.server.pages;

import org.jspecify.annotations.NullMarked;
