// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.util.ArrayList;
import java.util.List;

/** All hostile requests. */
public final class HostileCorpus {
    private HostileCorpus() {}

    /** Requests that a server in development must refuse. */
    public static List<HostileCase> development() {
        List<HostileCase> all = new ArrayList<>();
        all.addAll(BrokenJson.cases());
        all.addAll(BrokenFields.cases());
        all.addAll(BrokenAddresses.cases());
        all.addAll(BrokenHeaders.cases());
        all.addAll(BrokenFraming.cases());
        return all;
    }

    /** Requests that a server must not wait for. */
    public static List<HostileCase> slow() {
        return BrokenFraming.slow();
    }
}
