// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.calls;

import dev.semel.internal.SendersClock;
import dev.semel.journal.calls.CallSignature;
import dev.semel.journal.calls.CallSignature.Check;
import dev.semel.server.config.CallSettings;
import dev.semel.server.config.CallSettings.Signing;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether an event is its site's, by the settings. */
final class CallVerification {
    /** What is to be done with an event. */
    enum Verdict {
        VERIFIED,
        /** Nobody can tell, and that is accepted. */
        UNVERIFIED,
        /** Signed by the site, but at another time: accepted only if it is known. */
        ONLY_IF_KNOWN,
        REFUSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(CallVerification.class);

    /** Names come from outside: the log is told of so many, and memory keeps no more. */
    private static final int MAX_WARNINGS = 100;

    private final CallSettings settings;
    private final ServerMode mode;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final Map<String, CallSignature> signatures = new LinkedHashMap<>();

    CallVerification(Settings all) {
        this.settings = all.calls();
        this.mode = all.mode();
        settings.sites()
                .forEach((name, site) ->
                        site.secret().ifPresent(secret -> signatures.put(name, new CallSignature(secret.reveal()))));
    }

    Verdict of(String site, @Nullable String signature, @Nullable String timestamp, byte[] body) {
        CallSettings.Site known = settings.sites().get(site);
        if (known != null && known.signing() == Signing.OFF) {
            return Verdict.UNVERIFIED;
        }
        Optional<CallSignature> verifier = Optional.ofNullable(signatures.get(site));
        if (verifier.isEmpty()) {
            if (mode != ServerMode.DEVELOPMENT) {
                return Verdict.REFUSED;
            }
            if (known == null && warned.size() < MAX_WARNINGS && warned.add(site)) {
                LOG.atWarn()
                        .addKeyValue("site", site)
                        .log("Events of this site are accepted unverified: it has no secret in calls.sites");
            }
            return Verdict.UNVERIFIED;
        }
        Check check = verifier.get().check(signature, timestamp, body, SendersClock.now(), settings.tolerance());
        return switch (check) {
            case VALID -> Verdict.VERIFIED;
            case TOO_OLD, TOO_NEW -> Verdict.ONLY_IF_KNOWN;
            case MISSING, MALFORMED, WRONG -> Verdict.REFUSED;
        };
    }
}
