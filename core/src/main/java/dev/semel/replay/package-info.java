// SPDX-License-Identifier: Apache-2.0
/** What is answered without asking the store: settled results, kept for a while. A cache never decides. */
@NullMarked
package dev.semel.replay;

import org.jspecify.annotations.NullMarked;
