// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a list of commands into rounds with at most one command a claim each, so that a set-based statement never meets
 * the same row twice and commands on one claim keep their order.
 */
public final class Rounds {
    private Rounds() {}

    /** The positions in {@code commands} that go into each round. */
    public static List<List<Integer>> of(List<? extends Command> commands) {
        List<List<Integer>> rounds = new ArrayList<>();
        Map<ClaimRef, Integer> nextRound = new HashMap<>();
        for (int i = 0; i < commands.size(); i++) {
            int round = nextRound.merge(commands.get(i).ref(), 1, Integer::sum) - 1;
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(i);
        }
        return rounds;
    }
}
