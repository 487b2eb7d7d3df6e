// SPDX-License-Identifier: Apache-2.0
/** From names to digests: the secret, its subkeys, and how parts are put together. */
@NullMarked
package dev.semel.key;

import org.jspecify.annotations.NullMarked;
