// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The active secrets. New digests are made with the current one; digests of the others are found as well. To rotate a secret,
 * finish each step on all instances before the next one: add the new secret, make it the current one, remove the old one.
 */
public final class Secrets {
    private final List<Secret> all;

    private Secrets(List<Secret> all) {
        this.all = all;
    }

    /**
     * The current secret and the other active ones, as text.
     *
     * @throws IllegalArgumentException if one has less than {@value Secret#MIN_BYTES} bytes
     */
    public static Secrets of(String current, String... others) {
        return of(Secret.of(current), Stream.of(others).map(Secret::of).toArray(Secret[]::new));
    }

    /** The current secret and the other active ones. */
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
                        "The same secret (id %s) is given twice: give each active secret once".formatted(secret.id()));
            }
        }
        return new Secrets(List.copyOf(all));
    }

    /** The secret that new digests are made with. */
    public Secret current() {
        return all.get(0);
    }

    /** All active secrets, the current one first. */
    public List<Secret> all() {
        return all;
    }

    /** The active secret with this id. */
    public Optional<Secret> byId(String id) {
        return all.stream().filter(secret -> secret.id().equals(id)).findFirst();
    }

    @Override
    public String toString() {
        return "Secrets" + all;
    }
}
