// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;

/** A claim that somebody asks for. */
record ClaimRequest(AliasedKey key, ResultKind kind, Fingerprint fingerprint, Terms terms, Duration patience) {}
