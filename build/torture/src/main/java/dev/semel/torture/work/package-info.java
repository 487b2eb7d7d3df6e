// SPDX-License-Identifier: Apache-2.0
/** The worker process: real engines, random workloads, and the recording of what they do. */
@NullMarked
package dev.semel.torture.work;

import org.jspecify.annotations.NullMarked;
