// SPDX-License-Identifier: Apache-2.0
/** The console in a real browser: a server to look at, what fills it, and the pictures of the documentation. */
@NullMarked
package dev.semel.browser;

import org.jspecify.annotations.NullMarked;
