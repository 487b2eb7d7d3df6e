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

/** Verifies that a call event comes from its site. The sites and their secrets can be replaced while requests are served. */
public final class CallVerification {
    /** The result of the verification. */
    enum Authenticity {
        VERIFIED,
        /** The site has no secret, and unverified events are accepted. */
        UNVERIFIED,
        /**
         * The signature is valid but its timestamp is out of tolerance. The event is accepted only if it is a
         * duplicate.
         */
        ONLY_IF_KNOWN,
        REFUSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(CallVerification.class);

    /** Site names come from clients, so the number of warnings is limited. */
    private static final int MAX_WARNINGS = 100;

    private final ServerMode mode;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private volatile Sites current;

    /** The settings in effect, and a verifier for each site with a secret. */
    private record Sites(CallSettings settings, Map<String, CallSignature> signatures) {
        static Sites of(CallSettings settings) {
            Map<String, CallSignature> signatures = new LinkedHashMap<>();
            settings.sites()
                    .forEach((name, site) -> site.secret()
                            .ifPresent(secret -> signatures.put(name, new CallSignature(secret.reveal()))));
            return new Sites(settings, signatures);
        }
    }

    public CallVerification(Settings all) {
        this.mode = all.mode();
        this.current = Sites.of(all.calls());
    }

    /** Uses these sites, their secrets and their tolerance from the next request on. */
    public void replace(CallSettings next) {
        current = Sites.of(next);
    }

    Authenticity of(String site, @Nullable String signature, @Nullable String timestamp, byte[] body) {
        Sites sites = current;
        CallSettings.Site known = sites.settings().sites().get(site);
        if (known != null && known.signing() == Signing.OFF) {
            return Authenticity.UNVERIFIED;
        }
        Optional<CallSignature> verifier =
                Optional.ofNullable(sites.signatures().get(site));
        if (verifier.isEmpty()) {
            if (mode != ServerMode.DEVELOPMENT) {
                return Authenticity.REFUSED;
            }
            if (known == null && warned.size() < MAX_WARNINGS && warned.add(site)) {
                LOG.atWarn()
                        .addKeyValue("site", site)
                        .log("Unverified events of site {} are accepted. Set a secret in calls.sites", site);
            }
            return Authenticity.UNVERIFIED;
        }
        Check check = verifier.get()
                .check(
                        signature,
                        timestamp,
                        body,
                        SendersClock.now(),
                        sites.settings().tolerance());
        return switch (check) {
            case VALID -> Authenticity.VERIFIED;
            case TOO_OLD, TOO_NEW -> Authenticity.ONLY_IF_KNOWN;
            case MISSING, MALFORMED, WRONG -> Authenticity.REFUSED;
        };
    }
}
