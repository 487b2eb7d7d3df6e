// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import dev.semel.claim.ClaimRef;

/**
 * Where a claim is, and which secret says so.
 *
 * @param secretId the secret's id
 */
public record NamedRef(ClaimRef ref, String secretId) {}
