// SPDX-License-Identifier: Apache-2.0
/** Health checks, the API description and the documentation pages. */
@NullMarked
package dev.semel.server.pages;

import org.jspecify.annotations.NullMarked;
