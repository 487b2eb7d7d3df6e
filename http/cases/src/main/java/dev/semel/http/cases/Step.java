// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import java.util.Map;
import java.util.Optional;

/** One step of a case. */
sealed interface Step {
    /**
     * Sends a request and waits for its answer.
     *
     * @param times the number of concurrent requests
     */
    record Send(String name, CaseRequest request, int times, Expected expected) implements Step {}

    /**
     * Sends a request and does not wait for its answer.
     *
     * @param running waits until the application has started this many runs of the path
     */
    record Start(String name, CaseRequest request, int times, Optional<Integer> running) implements Step {}

    /** Waits for the answers of a started step. */
    record Await(String name, Expected expected) implements Step {}

    /** Waits until this text of the answer has arrived. */
    record Receive(String name, String text) implements Step {}

    /** Closes the client's connection. */
    record HangUp(String name) implements Step {}

    /** Opens the gate with this name: runs that the service holds there continue, and later runs are not held. */
    record Open(String gate) implements Step {}

    /** Waits until a path has run this often. */
    record Runs(String path, int count) implements Step {}

    /**
     * Reads a step. {@code same} sends an earlier step's request again, with the replacements of {@code change}.
     *
     * @param requests the requests of earlier steps by name. The request of this step is added.
     * @param id the id of this run of the case
     */
    static Step of(Members members, Map<String, Members> requests, String id) {
        Step step = read(members, requests, id);
        members.end();
        return step;
    }

    private static Step read(Members members, Map<String, Members> requests, String id) {
        if (members.has("open")) {
            return new Open(members.text("open").orElseThrow());
        }
        if (members.has("hang_up")) {
            return new HangUp(members.text("hang_up").orElseThrow());
        }
        if (members.has("receive")) {
            return new Receive(
                    members.text("receive").orElseThrow(), members.text("text").orElseThrow());
        }
        if (members.has("runs")) {
            return new Runs(
                    members.text("of").orElseThrow(), members.number("runs").orElseThrow());
        }
        if (members.has("await")) {
            return new Await(members.text("await").orElseThrow(), expected(members));
        }
        Members request = request(members, requests);
        String name = members.text("as").orElse("step " + (requests.size() + 1));
        if (requests.put(name, request) != null) {
            throw new IllegalArgumentException("Two steps have the name " + name);
        }
        CaseRequest sent = CaseRequest.of(request.copy(), id);
        int times = members.number("times").orElse(1);
        return members.flag("background")
                ? new Start(name, sent, times, members.number("running"))
                : new Send(name, sent, times, expected(members));
    }

    private static Members request(Members members, Map<String, Members> requests) {
        Optional<Members> whole = members.object("send");
        if (whole.isPresent()) {
            return whole.get();
        }
        String earlier = members.text("same")
                .orElseThrow(() -> new IllegalArgumentException("A step must have an action, such as send or same"));
        Members known = requests.get(earlier);
        if (known == null) {
            throw new IllegalArgumentException("No earlier step has the name " + earlier);
        }
        return members.object("change").map(change -> change.orElse(known)).orElseGet(known::copy);
    }

    private static Expected expected(Members members) {
        return Expected.of(members.object("expect")
                .orElseThrow(() -> new IllegalArgumentException("A step must have the member expect")));
    }
}
