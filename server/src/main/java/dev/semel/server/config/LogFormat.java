// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** How log lines look. */
public enum LogFormat {
    /** {@code time=... level=... msg="..." key="value"}. */
    TEXT,
    /** One JSON object per line. */
    JSON
}
