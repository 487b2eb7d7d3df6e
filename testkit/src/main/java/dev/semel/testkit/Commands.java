// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Alias;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Makes commands. Values that a test does not set are random. */
public final class Commands {
    /** The scope of these commands. */
    public static final String SCOPE = "contract";
    /** The secret's id in these commands. */
    public static final String SECRET_ID = "contract-secret";

    private Commands() {}

    /** An insert on the default terms. */
    public static Command.Insert insert(ClaimRef ref) {
        return insert(ref, Terms.DEFAULT);
    }

    public static Command.Insert insert(ClaimRef ref, Terms terms) {
        return insert(ref, SCOPE, terms);
    }

    public static Command.Insert insert(ClaimRef ref, String scope, Terms terms) {
        return new Command.Insert(
                ref, scope, SECRET_ID, OwnerToken.random(), RecordId.random(), someFingerprint(), terms);
    }

    /** An insert with these digests as aliases. */
    public static Command.Insert insert(ClaimRef ref, List<ClaimRef> aliases) {
        return insert(ref, Terms.DEFAULT, aliases);
    }

    public static Command.Insert insert(ClaimRef ref, Terms terms, List<ClaimRef> aliases) {
        Command.Insert plain = insert(ref, terms);
        return new Command.Insert(
                ref,
                plain.scope(),
                plain.secretId(),
                plain.token(),
                plain.record(),
                plain.fingerprint(),
                terms,
                aliases.stream()
                        .map(alias -> new Alias(alias, SECRET_ID, OwnerToken.random()))
                        .toList());
    }

    /** A take-over of this claim, on the default terms. */
    public static Command.TakeOver takeOver(Snapshot seen) {
        return takeOver(seen, Terms.DEFAULT);
    }

    public static Command.TakeOver takeOver(Snapshot seen, Terms terms) {
        return new Command.TakeOver(
                seen.ref(), seen.token(), OwnerToken.random(), RecordId.random(), someFingerprint(), terms);
    }

    /** A take-over of this claim that is refused if it has expired since, or points to no record. */
    public static Command.TakeOver takeOverUnlessAbsent(Snapshot seen) {
        return new Command.TakeOver(
                seen.ref(), seen.token(), OwnerToken.random(), null, someFingerprint(), Terms.DEFAULT);
    }

    /** The same insert, with this sketch of its request; empty for none. */
    public static Command.Insert sketched(Command.Insert insert, byte[] sketch) {
        return new Command.Insert(
                insert.ref(),
                insert.scope(),
                insert.secretId(),
                insert.token(),
                insert.record(),
                insert.fingerprint().withSketch(sketch),
                insert.terms(),
                insert.aliases());
    }

    /** The same take-over, with this sketch of its request; empty for none. */
    public static Command.TakeOver sketched(Command.TakeOver takeOver, byte[] sketch) {
        return new Command.TakeOver(
                takeOver.ref(),
                takeOver.expected(),
                takeOver.token(),
                takeOver.record(),
                takeOver.fingerprint().withSketch(sketch),
                takeOver.terms());
    }

    public static Command.Renew renew(Snapshot owned, Duration lease) {
        return new Command.Renew(owned.ref(), owned.token(), lease);
    }

    /** Gives back a claim whose work did not start, as RETRYABLE. */
    public static Command.GiveBack giveBack(Snapshot owned) {
        return new Command.GiveBack(owned.ref(), owned.token(), OwnerToken.random(), null);
    }

    /** Gives back a claim whose work did not start, and that was taken over from a lapsed owner with this policy. */
    public static Command.GiveBack giveBack(Snapshot owned, StalePolicy onStale) {
        return new Command.GiveBack(owned.ref(), owned.token(), OwnerToken.random(), onStale);
    }

    /** A settlement without a result and without a reason. */
    public static Command.Settle settle(Snapshot owned, Status status) {
        return new Command.Settle(owned.ref(), owned.token(), status, null, null);
    }

    /** A settlement with this text as its result. */
    public static Command.Settle settle(Snapshot owned, Status status, String result) {
        return new Command.Settle(owned.ref(), owned.token(), status, text(result), null);
    }

    /** Text in its stored form. */
    public static StoredResult text(String text) {
        return new StoredResult("text/plain", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Fingerprint someFingerprint() {
        return Fingerprint.of(UUID.randomUUID().toString());
    }
}
