// SPDX-License-Identifier: Apache-2.0
/** The tests that the codecs for Jackson 2 and for Jackson 3 both pass. */
@NullMarked
package dev.semel.jackson.cases;

import org.jspecify.annotations.NullMarked;
