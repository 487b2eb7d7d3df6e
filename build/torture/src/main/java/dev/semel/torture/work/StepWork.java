// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.claim.Terms;
import dev.semel.operations.OperationRules;
import dev.semel.operations.StepOutcome;
import dev.semel.operations.StepRequest;
import dev.semel.operations.Steps;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonString;
import dev.semel.torture.history.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;

/** Steps of workflow runs, whose results are encrypted. */
final class StepWork implements Workload {
    static final String KIND = "step";

    private final Instance instance;
    private final Steps steps;
    private final Recorder recorder;
    private final Items items;

    StepWork(Instance instance, Recorder recorder, Items items) {
        this.instance = instance;
        this.steps = Steps.on(instance.semel);
        this.recorder = recorder;
        this.items = items;
    }

    @Override
    public void step(SplittableRandom random) {
        call(items.choose(KIND, Duration.ofMillis(150), 12, random).forEver(), random);
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        return Outcomes.isSettled(call(items.named(KIND, name).forEver(), random));
    }

    private Answer call(Item item, SplittableRandom random) {
        Terms terms = OperationRules.STEP.terms().withLease(item.lease()).withoutExpiry();
        StepRequest request = StepRequest.of(Item.TENANT, item.name(), "pay", new JsonString(item.name()))
                .with(OperationRules.STEP.with(terms).waitingUpTo(item.maxWait()));
        instance.register(request.key(), item);
        long call = recorder.asked(item, Bounds.execute(item));
        StepOutcome<Json> outcome = steps.run(request, context -> {
            long run = recorder.nextRun();
            recorder.began(item, run, instance.store.held(item.name(), context.fence()));
            RandomRun.Pace.of(item.lease(), random).pass();
            if (random.nextInt(12) == 0) {
                recorder.ended(item, run, 0, "");
                throw new PassingFailure();
            }
            String text = Long.toHexString(run) + "x".repeat(Math.min(item.bytes(), 70_000));
            recorder.ended(item, run, text.length(), hash(text));
            return new JsonString(text);
        });
        if (outcome instanceof StepOutcome.Done<Json> done && done.result() instanceof JsonString result) {
            if (!done.reused() && done.note() != null) {
                recorder.told(item, call, Answer.LOST);
                return Answer.LOST;
            }
            recorder.told(item, call, Answer.SUCCEEDED, result.value().length(), hash(result.value()));
            return Answer.SUCCEEDED;
        }
        Answer answer = outcome instanceof StepOutcome.Done
                ? Answer.TOMBSTONE
                : outcome instanceof StepOutcome.Locked
                        ? Answer.IN_PROGRESS
                        : ((StepOutcome.Failed<Json>) outcome).retryable() ? Answer.UNAVAILABLE : Answer.FAILED;
        recorder.told(item, call, answer);
        return answer;
    }

    private static String hash(String text) {
        return Content.hash(text.getBytes(StandardCharsets.UTF_8));
    }
}
