// SPDX-License-Identifier: Apache-2.0
/** Replays without the store: settled results, kept for a while. A cache never decides. */
@NullMarked
package dev.semel.replay;

import org.jspecify.annotations.NullMarked;
