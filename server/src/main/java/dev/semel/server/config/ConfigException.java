// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** A setting is invalid. The message names the setting and says what to do. It never contains a secret. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String message) {
        super(message);
    }
}
