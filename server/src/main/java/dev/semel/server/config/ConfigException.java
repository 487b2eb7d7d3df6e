// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** A setting is not what it may be. The message names it and says what to do, and never shows a secret. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String message) {
        super(message);
    }
}
