// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.util.ArrayList;
import java.util.List;

/** All of it. */
public final class HostileCorpus {
    private HostileCorpus() {}

    /** What a server in development must refuse. */
    public static List<HostileCase> development() {
        List<HostileCase> all = new ArrayList<>();
        all.addAll(BrokenJson.cases());
        all.addAll(BrokenFields.cases());
        all.addAll(BrokenAddresses.cases());
        all.addAll(BrokenHeaders.cases());
        all.addAll(BrokenFraming.cases());
        return all;
    }

    /** What a server must not wait for. */
    public static List<HostileCase> slow() {
        return BrokenFraming.slow();
    }
}
