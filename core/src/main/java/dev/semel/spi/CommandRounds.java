// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits commands into rounds with at most one command for each claim and for each token. Then a set-based statement never
 * changes a row twice, commands on one claim keep their order, and a returned row is identified by its token, even if a caller
 * uses one claim's token for another.
 */
public final class CommandRounds {
    private CommandRounds() {}

    /** The positions in {@code commands} that belong to each round. */
    public static List<List<Integer>> of(List<? extends Command> commands) {
        List<List<Integer>> rounds = new ArrayList<>();
        Map<Object, Integer> nextRound = new HashMap<>();
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            int round = Math.max(nextRound.getOrDefault(command.ref(), 0), nextRound.getOrDefault(command.token(), 0));
            nextRound.put(command.ref(), round + 1);
            nextRound.put(command.token(), round + 1);
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(i);
        }
        return rounds;
    }
}
