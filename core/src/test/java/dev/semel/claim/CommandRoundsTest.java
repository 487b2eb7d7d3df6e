// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.Command;
import dev.semel.spi.CommandRounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CommandRoundsTest {
    @Test
    void nothingNeedsNoRound() {
        assertThat(CommandRounds.of(List.of())).isEmpty();
    }

    @Test
    void differentClaimsShareARound() {
        assertThat(CommandRounds.of(commandsOn("a", "b", "c"))).containsExactly(List.of(0, 1, 2));
    }

    @Test
    void commandsOnOneClaimKeepTheirOrderOverRounds() {
        assertThat(CommandRounds.of(commandsOn("a", "b", "a", "c", "a", "b")))
                .containsExactly(List.of(0, 1, 3), List.of(2, 5), List.of(4));
    }

    @Test
    void oneTokenOnTwoClaimsTakesTwoRounds() {
        List<Command> commands = new ArrayList<>(commandsOn("a", "b"));
        commands.add(new Command.Renew(
                new ClaimRef("c", commands.get(0).ref().digest()),
                commands.get(0).token(),
                Duration.ofMinutes(1)));

        assertThat(CommandRounds.of(commands)).containsExactly(List.of(0, 1), List.of(2));
    }

    private static List<Command> commandsOn(String... tenants) {
        Digest digest = Digest.ofHex("01".repeat(32));
        return Stream.of(tenants)
                .<Command>map(tenant ->
                        new Command.Renew(new ClaimRef(tenant, digest), OwnerToken.random(), Duration.ofMinutes(1)))
                .toList();
    }
}
