// SPDX-License-Identifier: Apache-2.0
/** What every door for HTTP requests must do: cases as data, the application behind the door, and what runs them. */
@NullMarked
package dev.semel.http.cases;

import org.jspecify.annotations.NullMarked;
