// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Codec;
import java.lang.reflect.Type;

/** The codecs for the results of {@link Idempotent} methods. The starters have one that writes JSON with Jackson. */
@FunctionalInterface
public interface ResultCodecs {
    /** A codec for values of this type. It never sees null. */
    Codec<?> of(Type type);
}
