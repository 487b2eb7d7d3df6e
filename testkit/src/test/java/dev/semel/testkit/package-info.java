// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;
