// SPDX-License-Identifier: Apache-2.0
/** From keys to digests: the secrets, their subkeys, and how parts are composed. */
@NullMarked
package dev.semel.key;

import org.jspecify.annotations.NullMarked;
