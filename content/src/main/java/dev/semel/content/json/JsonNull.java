// SPDX-License-Identifier: Apache-2.0
package dev.semel.content.json;

/** The JSON {@code null}. */
public enum JsonNull implements Json {
    NULL
}
