// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.payload.json.Json;
import java.util.Optional;

/**
 * A stored result without sensitive content.
 *
 * @param type how it is stored
 * @param size its stored size in bytes
 * @param content the redacted content; empty if it cannot be shown
 * @param note why the content is not shown; empty if it is
 */
public record ShownResult(String type, int size, Optional<Json> content, String note) {}
