// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.List;

/**
 * One call for many entries.
 *
 * @param <E> an entry
 * @param <R> the answer to one entry
 */
@FunctionalInterface
public interface BatchCall<E, R> {
    /** Returns one answer for each entry, in their order. An exception becomes the answer of every entry. */
    List<R> make(List<E> entries);
}
