// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.admin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the console.
 *
 * @param enabled whether it is served below the admin API's path, for example at {@code /semel/console/}; it is not by default
 */
@ConfigurationProperties("semel.console")
public record ConsoleProperties(@DefaultValue("false") boolean enabled) {}
