// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/** The JSON {@code null}. */
public enum JsonNull implements Json {
    NULL
}
