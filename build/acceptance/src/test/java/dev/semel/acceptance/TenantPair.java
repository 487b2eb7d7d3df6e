// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A tenant that owns something, and one that does not. */
record TenantPair(RunningServer server, Configuration.Tenant owner, Configuration.Tenant stranger) {
    static TenantPair on(RunningServer server) {
        return new TenantPair(
                server, server.configuration().tenant(), server.configuration().tenant());
    }

    /** The owner's callers that may use the operation. */
    Caller owning(Operation operation) {
        return allowed(operation, owner).get(0);
    }

    /** The stranger's callers that may use it, and the same callers with the owner's tenant in their headers. */
    List<Caller> strangers(Operation operation) {
        return allowed(operation, stranger).stream()
                .flatMap(caller -> Stream.of(
                        caller,
                        new Caller(
                                caller.client(),
                                caller.tenant(),
                                Map.of(
                                        "Authorization",
                                        caller.identity().get("Authorization"),
                                        "X-Organization-Id",
                                        owner.name(),
                                        "X-Actor-Id",
                                        "suite"))))
                .toList();
    }

    private List<Caller> allowed(Operation operation, Configuration.Tenant tenant) {
        Map<String, Caller> byRole = Map.of(
                "client", server.client(tenant),
                "viewer", server.viewer(tenant),
                "operator", server.operator(tenant));
        return byRole.entrySet().stream()
                .filter(role -> operation.access().allows(role.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }
}
