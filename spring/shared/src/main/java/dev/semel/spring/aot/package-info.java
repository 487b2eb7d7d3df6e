// SPDX-License-Identifier: Apache-2.0
/** What a native image of an application must contain. */
@NullMarked
package dev.semel.spring.aot;

import org.jspecify.annotations.NullMarked;
