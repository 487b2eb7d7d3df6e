// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.admin.DecisionOutcome;
import dev.semel.admin.Keys;
import dev.semel.admin.OperatorDecision;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.torture.history.Answer;
import java.util.SplittableRandom;

/** An operator who decides parked claims: releases them, fails them, or says what their result is. */
final class OperatorWork implements Workload {
    static final String KIND = "operator";

    private static final String ACTOR = "torture";
    private static final String REASON = "looked";
    private static final int PAGE = 20;
    private static final int BYTES = 40;

    private final Instance instance;
    private final Keys keys;
    private final Recorder recorder;
    private final Items items;
    private final boolean dirty;

    /** @param dirty whether its connections may be refused because of their state */
    OperatorWork(Instance instance, Keys keys, Recorder recorder, Items items, boolean dirty) {
        this.dirty = dirty;
        this.instance = instance;
        this.keys = keys;
        this.recorder = recorder;
        this.items = items;
    }

    @Override
    public void step(SplittableRandom random) {
        try {
            ClaimBrowser.Query query = ClaimBrowser.Query.of(Item.TENANT, PAGE).withStatus(Status.UNKNOWN);
            for (ClaimEntry claim : keys.list(query).entries()) {
                String name = instance.itemOf(claim.ref());
                if (name != null && claim.scope().equals(ExecutedWork.KIND) && random.nextInt(4) == 0) {
                    decide(claim, items.named(ExecutedWork.KIND, name), random);
                }
            }
        } catch (StoreException unavailable) {
            // The database does not answer, and the operator tries again later.
        } catch (IllegalStateException e) {
            if (!dirty) {
                throw e;
            }
        }
    }

    private void decide(ClaimEntry claim, Item item, SplittableRandom random) {
        long run = recorder.nextRun();
        byte[] content = Content.of(run, BYTES);
        long sent = System.nanoTime();
        switch (random.nextInt(4)) {
            case 0, 1 -> {
                recorder.ended(item, run, content.length, Content.hash(content));
                StoredResult result = new StoredResult("application/octet-stream", content);
                if (isDecided(claim, OperatorDecision.succeed(claim.fence(), ACTOR, REASON, result))) {
                    recorder.settled(item, run, Answer.SUCCEEDED, sent, content.length, Content.hash(content));
                }
            }
            case 2 -> {
                if (isDecided(claim, OperatorDecision.fail(claim.fence(), ACTOR, REASON))) {
                    recorder.settled(item, run, Answer.FAILED, sent, 0, "");
                }
            }
            default -> isDecided(claim, OperatorDecision.release(claim.fence(), ACTOR, REASON));
        }
    }

    private boolean isDecided(ClaimEntry claim, OperatorDecision decision) {
        return keys.decide(claim.ref(), decision) instanceof DecisionOutcome.Decided;
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        return true;
    }
}
