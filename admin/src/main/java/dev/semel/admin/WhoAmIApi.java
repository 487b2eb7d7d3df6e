// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.admin.AdminRoute.Access;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.List;
import java.util.Set;

/** The route {@code /v1/whoami}: who the caller is, and what this host serves. A client shows only what it can use. */
public final class WhoAmIApi {
    private final boolean choosesTenant;
    private final List<String> features;

    /**
     * Creates the API.
     *
     * @param choosesTenant whether every caller may choose a tenant by a header, as in development
     * @param features the parts of the API that the host serves, such as {@code keys}
     */
    public WhoAmIApi(boolean choosesTenant, List<String> features) {
        this.choosesTenant = choosesTenant;
        this.features = List.copyOf(features);
    }

    /** All routes. */
    public List<AdminRoute> routes() {
        return List.of(new AdminRoute("GET", "/v1/whoami", Access.LOOK, Set.of(), this::answer));
    }

    private Json answer(AdminRequest request) {
        return new JsonObject.Builder()
                .put("tenant", new JsonString(request.tenant()))
                .put("actor", new JsonString(request.actor()))
                .put("operator", new JsonBoolean(request.operator()))
                .put("chooses_tenant", new JsonBoolean(choosesTenant))
                .put(
                        "features",
                        new JsonArray(
                                features.stream().<Json>map(JsonString::new).toList()))
                .build();
    }
}
