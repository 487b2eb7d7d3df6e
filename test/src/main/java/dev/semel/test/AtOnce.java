// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What callers received that called at the same moment; see {@link TestSemel#atOnce}.
 *
 * @param returned what calls returned, in the order of the callers
 * @param thrown what the other calls threw, in the order of the callers
 */
public record AtOnce<R extends @Nullable Object>(List<R> returned, List<Throwable> thrown) {
    public AtOnce {
        // Not List.copyOf, because a call may return null.
        returned = Collections.unmodifiableList(new ArrayList<>(returned));
        thrown = List.copyOf(thrown);
    }
}
