// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import dev.semel.claim.ClaimRef;

/**
 * The reference of a claim, and the secret that made its digest.
 *
 * @param secretId the id of the secret
 */
public record KeyedRef(ClaimRef ref, String secretId) {}
