// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The secrets that are alive: the current one makes what is new; what the others made, or will make once one of them is
 * promoted, is understood too. A secret is rotated in three steps, each rolled out to every process before the next:
 * add the new one, make it the current one, drop the old one.
 */
public final class Secrets {
    private final List<Secret> all;

    private Secrets(List<Secret> all) {
        this.all = all;
    }

    /** The current secret, and those beside it. */
    public static Secrets of(Secret current, Secret... others) {
        List<Secret> all = new ArrayList<>();
        all.add(Objects.requireNonNull(current, "A secret must not be null"));
        for (Secret other : others) {
            all.add(Objects.requireNonNull(other, "A secret must not be null"));
        }
        Set<String> ids = new HashSet<>();
        for (Secret secret : all) {
            if (!ids.add(secret.id())) {
                throw new IllegalArgumentException(
                        "The same secret (id %s) is given twice: give each live secret once".formatted(secret.id()));
            }
        }
        return new Secrets(List.copyOf(all));
    }

    /** The one that makes what is new. */
    public Secret current() {
        return all.get(0);
    }

    /** All of them, the current one first. */
    public List<Secret> all() {
        return all;
    }

    /** The one with this id, if it is alive. */
    public Optional<Secret> byId(String id) {
        return all.stream().filter(secret -> secret.id().equals(id)).findFirst();
    }

    @Override
    public String toString() {
        return "Secrets" + all;
    }
}
