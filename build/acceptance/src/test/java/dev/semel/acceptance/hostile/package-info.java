// SPDX-License-Identifier: Apache-2.0
/** A corpus of invalid requests. Each has one defect, which its name describes. */
package dev.semel.acceptance.hostile;
