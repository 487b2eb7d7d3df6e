// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.FailureClass;
import dev.semel.ProbeAnswer;
import dev.semel.RunContext;
import dev.semel.simulation.history.HistoryEvent.Probed;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

/** The world that work changes: what each record's work has done, and which result it had. */
final class Effects {
    private final History history;
    private final Network network;
    private final Dice dice;
    private final int largestResult;
    private final Map<String, byte[]> done = new HashMap<>();

    Effects(History history, Network network, Dice dice, int largestResult) {
        this.history = history;
        this.network = network;
        this.dice = dice;
        this.largestResult = largestResult;
    }

    /** The result of a run: from nothing to two megabytes. */
    byte[] result(long run) {
        byte[] text = ("run " + run).getBytes(StandardCharsets.UTF_8);
        int size;
        if (dice.chance(0.1)) {
            size = 0;
        } else if (dice.chance(0.003)) {
            size = (2 << 20) + 100_000;
        } else {
            size = dice.chance(0.1) ? dice.between(1_000, 10_000) : dice.between(text.length, 100);
        }
        byte[] result = new byte[size];
        System.arraycopy(text, 0, result, 0, Math.min(text.length, size));
        return result;
    }

    /** Tells results apart. */
    String describe(Subject subject, byte[] result) {
        CRC32 sum = new CRC32();
        sum.update(result);
        int end = 0;
        while (end < result.length && result[end] != 0) {
            end++;
        }
        return "%s%s %s of %d bytes, %x"
                .formatted(
                        result.length > largestResult ? "unstorable " : "",
                        subject.names().get(0),
                        new String(result, 0, end, StandardCharsets.UTF_8),
                        result.length,
                        sum.getValue());
    }

    /** The work of a record has had its effect. */
    void happened(String record, byte[] result) {
        done.put(record, result);
    }

    /** Whether the work of a record whose owner disappeared was done. Sometimes nobody knows, and sometimes asking fails. */
    ProbeAnswer<byte[]> probe(RunContext run) throws SimulatedFailure {
        if (network.isFaulty() && dice.chance(0.1)) {
            throw new SimulatedFailure("the probe failed", FailureClass.RETRYABLE);
        }
        byte[] result = done.get(run.childKey("history"));
        if (result != null) {
            return ProbeAnswer.done(result);
        }
        if (network.isFaulty() && dice.chance(0.1)) {
            return ProbeAnswer.unknown("nobody knows");
        }
        history.add(new Probed(history.now(), "probe", run.childKey("history"), run.fence()));
        return ProbeAnswer.notDone();
    }
}
