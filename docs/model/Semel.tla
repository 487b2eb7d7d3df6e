------------------------------- MODULE Semel -------------------------------
(* SPDX-License-Identifier: Apache-2.0                                        *)
(*                                                                            *)
(* The claim protocol of PROTOCOL.md: several processes claim one piece of    *)
(* work, which has a key and may have aliases. Commands travel to the store   *)
(* one by one, in any order and as late as they like. README.md says which    *)
(* class each action stands for, and what is left out.                        *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Procs,      \* the processes, from 1
    Names,      \* the digests of the work, in their order: its key and its aliases
    Calls,      \* Calls[p]: the lists of names by which p claims, the record's own name first
    Tokens,     \* Tokens[p]: how many commands of p may acquire
    MaxTries,   \* how often one command may be sent
    MaxFaults,  \* how many answers may be lost and how many processes may crash, together
    MaxLives,   \* how many claims may expire
    Policy,     \* what follows a lapsed lease: "RERUN" or "PARK"
    Outcomes,   \* how work may end: "won" (SUCCEEDED), "retry" (RETRYABLE), "parked" (UNKNOWN)
    Bug         \* the planted bug, or "none"

VARIABLES
    db,         \* the store: a row for each name
    leases,     \* the tokens whose lease lasts, by the store's clock
    net,        \* the commands on their way to the store
    proc,       \* what each process is doing
    cache,      \* the replay cache: the result kept for each name, or 0
    used,       \* how many tokens each process has used
    faults,     \* how many faults there were
    life,       \* how many claims have expired
    \* The history, which decides nothing:
    grants,     \* every acquisition, in the order of the commits
    effects,    \* every start of the work, with what was true at that moment
    wins,       \* every success that was committed
    told        \* every success that a caller was told, with what was stored at that moment

store   == <<db, leases>>
history == <<grants, effects, wins, told>>
vars    == <<db, leases, net, proc, cache, used, faults, life, history>>

-----------------------------------------------------------------------------
(* Rows. of = 0 in a record; in a pointer, the name of its record.            *)

Free == [st |-> "free", token |-> 0, result |-> 0, fence |-> 0, of |-> 0, expired |-> FALSE]

Max(a, b) == IF a > b THEN a ELSE b

(* The store's clock. A TTL is longer than all acquisitions of one life.      *)
Clock == 10 * life + 1

FenceAfter(row) ==
    IF row.st = "free" THEN (IF Bug = "FenceRestarts" THEN 1 ELSE Clock) ELSE Max(row.fence + 1, Clock)

Started(token, before) ==
    [st |-> "running", token |-> token, result |-> 0, fence |-> FenceAfter(before), of |-> 0, expired |-> FALSE]

Pointer(token, record, before) ==
    [st |-> "parked", token |-> token, result |-> 0, fence |-> FenceAfter(before), of |-> record, expired |-> FALSE]

(* Whether a pointer to this name would lead to no record.                    *)
LeadsNowhere(d, n) == d[n].st = "free" \/ d[n].of # 0 \/ d[n].expired

(* The record of a name, directly or through its pointer; 0 if it is free.    *)
RecordOf(d, n) ==
    LET target == IF d[n].of = 0 THEN n ELSE d[n].of
    IN  IF LeadsNowhere(d, target) THEN 0 ELSE target

(* What a reader of this name sees: its record, or its own row, or 0.         *)
Seen(d, n) ==
    IF d[n].st = "free" THEN 0
    ELSE IF d[n].of = 0 \/ LeadsNowhere(d, d[n].of) \/ Bug = "PointerNotFollowed" THEN n
    ELSE d[n].of

Lapsed(row) == row.st = "running" /\ row.token \notin leases
Absent(row) == row.expired \/ row.of # 0

-----------------------------------------------------------------------------
(* Commands. token is the owner's token after the command has taken effect,   *)
(* and to is the status. A pointer's token and that of a claim that was given *)
(* back are made from the command's token, so that they are as unique.        *)

NoCommand == [op |-> "none"]

Token(p, n)       == 100 * p + 10 * n
PointerToken(t, n) == t + n
GivenBackToken(t) == t + 9

Insert(p, names, token) ==
    [op |-> "insert", by |-> p, try |-> 1, ref |-> names[1], names |-> names, expected |-> 0, token |-> token,
     to |-> "running", result |-> 0, origin |-> "none"]

(* origin: "absent" if the row was seen as absent, "lapsed" if its lease had   *)
(* ended, "retry" if it had failed retryably.                                 *)
TakeOver(p, ref, expected, token, origin) ==
    [op |-> "takeOver", by |-> p, try |-> 1, ref |-> ref, names |-> <<>>, expected |-> expected, token |-> token,
     to |-> "running", result |-> 0, origin |-> origin]

Renew(c) ==
    [op |-> "renew", by |-> c.by, try |-> 1, ref |-> c.ref, names |-> <<>>, expected |-> c.token, token |-> c.token,
     to |-> "running", result |-> 0, origin |-> "none"]

Settle(c, to) ==
    [op |-> "settle", by |-> c.by, try |-> 1, ref |-> c.ref, names |-> <<>>, expected |-> c.token, token |-> c.token,
     to |-> to, result |-> IF to = "won" THEN c.token ELSE 0, origin |-> "none"]

(* A claim that was taken over from a lapsed owner is given back as lapsed.   *)
GiveBack(c) ==
    [op |-> "giveBack", by |-> c.by, try |-> 1, ref |-> c.ref, names |-> <<>>, expected |-> c.token,
     token |-> GivenBackToken(c.token), to |-> IF c.origin = "lapsed" THEN "running" ELSE "retry", result |-> 0,
     origin |-> "none"]

Acquires(c) == c.op \in {"insert", "takeOver"}

(* Whether this row shows that the command has taken effect.                  *)
HoldsIn(c, d, n) ==
    /\ n = c.ref
    /\ d[n].of = 0
    /\ d[n].token = c.token
    /\ d[n].st = c.to
    /\ c.op = "settle" => d[n].result = c.result

-----------------------------------------------------------------------------
(* The store. Every command is one atomic step.                               *)

(* Of several records, the most decisive one answers; of equals, the first.   *)
Rank(row) ==
    CASE row.st = "won" -> 0
      [] row.st = "running" /\ ~Lapsed(row) -> 1
      [] row.st = "parked" -> 2
      [] row.st = "running" /\ Lapsed(row) -> 3
      [] row.st = "retry" -> 4

MostDecisive(d, records) ==
    CHOOSE r \in records : \A s \in records : Rank(d[r]) < Rank(d[s]) \/ (Rank(d[r]) = Rank(d[s]) /\ r <= s)

NamesOf(c) == {c.names[i] : i \in 1..Len(c.names)}

(* All these free names point to a record.                                    *)
Linked(d, c, free, record) ==
    [n \in Names |->
        IF n \in free /\ Bug # "LostAlias" THEN Pointer(PointerToken(c.token, n), record, d[n]) ELSE d[n]]

(* What an insert with aliases makes of the rows, and the record that answers. *)
AliasPlan(d, c) ==
    LET records == {RecordOf(d, n) : n \in NamesOf(c)} \ {0}
        free    == {n \in NamesOf(c) : RecordOf(d, n) = 0}
    IN  IF d[c.ref].st # "free" /\ d[c.ref].token = c.token
            THEN [db |-> d, seen |-> c.ref, conflict |-> FALSE]
        ELSE IF records = {}
            THEN [db |-> [Linked(d, c, free \ {c.ref}, c.ref) EXCEPT ![c.ref] = Started(c.token, d[c.ref])],
                  seen |-> c.ref, conflict |-> FALSE]
        ELSE LET first == MostDecisive(d, records)
             IN  IF Cardinality(records) = 1
                     THEN [db |-> Linked(d, c, free, first), seen |-> first, conflict |-> FALSE]
                     ELSE [db |-> d, seen |-> first, conflict |-> TRUE]

(* Whether a row may be taken over, by the store's own look at it. A row that *)
(* has expired since it was seen may have lost its aliases to another record. *)
Reclaimable(d, row, c) ==
    IF row.of # 0
        THEN LeadsNowhere(d, row.of) \/ Bug = "PointerNotFollowed"
    ELSE IF row.expired
        THEN c.origin = "absent" \/ Bug = "ExpiredTakenOver"
        ELSE \/ row.st = "retry"
             \/ Lapsed(row) /\ Policy # "PARK"
             \/ row.st = "running" /\ Bug = "NoSecondLapseCheck"

HasToken(row, c) ==
    \/ row.token = c.expected
    \/ c.op = "settle" /\ Bug \in {"NoTokenCheck", "SettleOverwrites"}
    \/ c.op = "takeOver" /\ Bug = "TakeOverWithoutToken"

(* The row after a compare-and-set.                                           *)
Swapped(d, c) ==
    LET row == d[c.ref]
    IN  IF row.st = "free" \/ ~HasToken(row, c) THEN row
        ELSE CASE c.op = "takeOver" /\ Reclaimable(d, row, c) -> Started(c.token, row)
               [] c.op = "giveBack" /\ row.st = "running" ->
                      [row EXCEPT !.st = c.to, !.token = c.token]
               [] c.op = "settle" /\ row.of = 0 /\ (row.st \in {"running", "parked"} \/ Bug = "SettleOverwrites") ->
                      IF Bug = "AnswerBeforeCommit" THEN row
                      ELSE [row EXCEPT !.st = c.to, !.result = c.result]
               [] OTHER -> row

(* The store after a command, and its verdict: applied, or the row seen.      *)
Outcome(c) ==
    IF c.op = "insert" /\ Len(c.names) > 1
        THEN LET plan == AliasPlan(db, c)
             IN  [db |-> plan.db, seen |-> plan.seen, conflict |-> plan.conflict,
                  applied |-> HoldsIn(c, plan.db, plan.seen)]
        ELSE LET after == IF c.op # "insert" THEN [db EXCEPT ![c.ref] = Swapped(db, c)]
                          ELSE IF db[c.ref].st = "free" THEN [db EXCEPT ![c.ref] = Started(c.token, db[c.ref])]
                          ELSE db
                 seen  == Seen(after, c.ref)
             IN  [db |-> after, seen |-> seen, conflict |-> FALSE,
                  applied |-> \/ seen # 0 /\ HoldsIn(c, after, seen)
                              \/ c.op = "settle" /\ Bug \in {"NoTokenCheck", "SettleOverwrites", "AnswerBeforeCommit"}
                                    /\ db[c.ref].st \in {"running", "parked"}]

(* An applied insert or take-over, and a renewal of a running claim, begin a  *)
(* lease. A settlement and a give-back end it.                                *)
LeasesAfter(c, after) ==
    LET row == after[c.ref]
    IN  CASE Acquires(c) /\ row.token = c.token /\ row # db[c.ref] -> leases \cup {c.token}
          [] c.op = "renew" /\ row.token = c.token /\ row.st = "running" -> leases \cup {c.token}
          [] c.op \in {"settle", "giveBack"} /\ row # db[c.ref] -> leases \ {c.expected}
          [] OTHER -> leases

-----------------------------------------------------------------------------
(* Processes. cmd is the command that acquires or has acquired the claim, or  *)
(* the settlement. view says whether the lease lasts as far as the process    *)
(* knows: never longer than by the store's clock, because it counts from when *)
(* the command was sent.                                                      *)

Idle == [pc |-> "idle", names |-> <<>>, cmd |-> NoCommand, view |-> FALSE]

Won == {w.result : w \in {w \in wins : w.life = life}}

(* What a process does with a verdict: its next state, the commands it sends, *)
(* the results that its caller is told, and what it keeps in the cache.       *)
Ends == [proc |-> Idle, send |-> {}, tells |-> {}, keeps |-> {}]

Asks(p, names, c) ==
    IF used[p] = Tokens[p] THEN Ends
    ELSE [Ends EXCEPT !.proc = [pc |-> "asking", names |-> names, cmd |-> c, view |-> FALSE], !.send = {c}]

NextToken(p) == Token(p, used[p] + 1)

AsksAnew(p) == Asks(p, proc[p].names, Insert(p, proc[p].names, NextToken(p)))

Decision(p, c, out) ==
    LET row   == out.db[out.seen]
        asked == IF out.conflict THEN out.seen ELSE c.ref
        takes(origin) == Asks(p, proc[p].names, TakeOver(p, out.seen, row.token, NextToken(p), origin))
        \* Only the call's own and only name: the others need the whole insert again.
        alone == proc[p].names = <<out.seen>> \/ Bug = "ExpiredTakenOver"
    IN  IF Absent(row) THEN (IF alone THEN takes("absent") ELSE AsksAnew(p))
        ELSE CASE row.st = "won" ->
                      [Ends EXCEPT !.tells = {[result |-> row.result, stored |-> Won]}, !.keeps = {<<asked, row.result>>}]
               [] row.st = "retry" -> takes("retry")
               [] row.st = "parked" -> Ends
               [] row.st = "running" -> IF Lapsed(row) /\ Policy # "PARK" THEN takes("lapsed") ELSE Ends

AfterAcquisition(p, c, out) ==
    IF out.applied
        THEN [Ends EXCEPT !.proc = [pc |-> "granted", names |-> proc[p].names, cmd |-> [c EXCEPT !.try = 1],
                                    view |-> c.token \in LeasesAfter(c, out.db)]]
    ELSE IF out.seen = 0 THEN AsksAnew(p)
    ELSE Decision(p, c, out)

AfterRenewal(p, c, out) ==
    IF out.applied THEN [Ends EXCEPT !.proc = [proc[p] EXCEPT !.pc = "granted", !.view = TRUE]] ELSE AsksAnew(p)

(* Only the owner of a confirmed success says so.                             *)
AfterSettlement(p, c, out) ==
    IF out.applied /\ c.to = "won"
        THEN [Ends EXCEPT !.tells = {[result |-> c.result, stored |-> {w.result : w \in wins} \cup
                                        (IF out.db # db THEN {c.result} ELSE {})]},
                          !.keeps = IF out.db[c.ref].expired THEN {} ELSE {<<c.ref, c.result>>}]
        ELSE Ends

(* A process hears only of the latest try of the command that it waits for.   *)
Awaits(p, c) ==
    CASE proc[p].pc \in {"asking", "settling"} -> c = proc[p].cmd
      [] proc[p].pc = "renewing" -> c = Renew(proc[p].cmd)
      [] OTHER -> FALSE

Reaction(c, out) ==
    CASE ~Awaits(c.by, c) -> [Ends EXCEPT !.proc = proc[c.by]]
      [] Acquires(c) -> AfterAcquisition(c.by, c, out)
      [] c.op = "renew" -> AfterRenewal(c.by, c, out)
      [] c.op = "settle" -> AfterSettlement(c.by, c, out)

Apply(c) ==
    LET out     == Outcome(c)
        does    == Reaction(c, out)
        granted == Acquires(c) /\ out.db[c.ref] # db[c.ref] /\ out.db[c.ref].token = c.token
        won     == c.op = "settle" /\ c.to = "won" /\ out.db # db
    IN  /\ db' = out.db
        /\ leases' = LeasesAfter(c, out.db)
        /\ net' = (net \ {c}) \cup does.send
        /\ proc' = [proc EXCEPT ![c.by] = does.proc]
        /\ used' = IF does.send = {} THEN used ELSE [used EXCEPT ![c.by] = @ + 1]
        /\ cache' = [n \in Names |-> IF \E k \in does.keeps : k[1] = n
                                         THEN (CHOOSE k \in does.keeps : k[1] = n)[2] ELSE cache[n]]
        /\ told' = told \cup does.tells
        /\ grants' = IF granted THEN Append(grants, [token |-> c.token, fence |-> out.db[c.ref].fence]) ELSE grants
        /\ wins' = IF won THEN wins \cup {[result |-> c.result, life |-> life]} ELSE wins
        /\ UNCHANGED <<faults, life, effects>>

Begin(p, names) ==
    /\ proc[p].pc = "idle"
    /\ used[p] < Tokens[p]
    /\ LET c == Insert(p, names, NextToken(p))
       IN  /\ proc' = [proc EXCEPT ![p] = [pc |-> "asking", names |-> names, cmd |-> c, view |-> FALSE]]
           /\ net' = net \cup {c}
           /\ used' = [used EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<store, cache, faults, life, history>>

(* A claim with aliases always asks the store.                                *)
Replay(p, names) ==
    /\ proc[p].pc = "idle"
    /\ Len(names) = 1
    /\ cache[names[1]] # 0
    /\ told' = told \cup {[result |-> cache[names[1]], stored |-> Won]}
    /\ UNCHANGED <<store, net, proc, cache, used, faults, life, grants, effects, wins>>

RenewFirst(p) ==
    /\ proc[p].pc = "granted"
    /\ proc' = [proc EXCEPT ![p].pc = "renewing"]
    /\ net' = net \cup {Renew(proc[p].cmd)}
    /\ UNCHANGED <<store, cache, used, faults, life, history>>

Start(p) ==
    /\ proc[p].pc = "granted"
    /\ proc[p].view \/ Bug = "LapsedGrantStarts"
    /\ proc' = [proc EXCEPT ![p].pc = "running"]
    /\ LET t == proc[p].cmd.token
       IN  effects' = effects \cup {[token |-> t, record |-> proc[p].cmd.ref, life |-> life, leased |-> t \in leases,
                                     others |-> leases \ {t}, won |-> Won,
                                     again |-> \E e \in effects : e.token = t]}
    /\ UNCHANGED <<store, net, cache, used, faults, life, grants, wins, told>>

RenewWhileRunning(p) ==
    /\ proc[p].pc = "running"
    /\ net' = net \cup {Renew(proc[p].cmd)}
    /\ UNCHANGED <<store, proc, cache, used, faults, life, history>>

Finish(p, to) ==
    /\ proc[p].pc = "running"
    /\ LET c == Settle(proc[p].cmd, to)
       IN  /\ proc' = [proc EXCEPT ![p] = [@ EXCEPT !.pc = "settling", !.cmd = c, !.view = FALSE]]
           /\ net' = net \cup {c}
           /\ cache' = IF Bug = "CacheBeforeCommit" /\ to = "won" THEN [cache EXCEPT ![c.ref] = c.result] ELSE cache
    /\ UNCHANGED <<store, used, faults, life, history>>

(* Nothing has begun: an executor refused the work, or its caller has left.   *)
Return(p) ==
    /\ proc[p].pc = "granted"
    /\ proc' = [proc EXCEPT ![p] = Idle]
    /\ net' = net \cup {GiveBack(proc[p].cmd)}
    /\ UNCHANGED <<store, cache, used, faults, life, history>>

-----------------------------------------------------------------------------
(* Faults. An answer is lost if its process stops waiting for it. The command *)
(* stays on its way: it may be applied later, or never.                       *)

Fault == faults < MaxFaults /\ faults' = faults + 1

(* The same command with the same token.                                      *)
Resend(p) ==
    /\ proc[p].pc \in {"asking", "settling"}
    /\ proc[p].cmd.try < MaxTries
    /\ Fault
    /\ IF Bug = "BlindRetry" /\ proc[p].pc = "settling"
           THEN /\ proc' = [proc EXCEPT ![p].pc = "granted", ![p].view = TRUE]
                /\ net' = net
       ELSE IF Bug = "NoAnswerIsYes" /\ proc[p].pc = "asking"
           THEN /\ proc' = [proc EXCEPT ![p].pc = "granted", ![p].view = TRUE]
                /\ net' = net
       ELSE LET c == [proc[p].cmd EXCEPT !.try = @ + 1]
            IN  /\ proc' = [proc EXCEPT ![p].cmd = c]
                /\ net' = net \cup {c}
    /\ UNCHANGED <<store, cache, used, life, history>>

(* The store timeout is over. A claim is given back, as its effect is unknown.*)
GiveUp(p) ==
    /\ proc[p].pc \in {"asking", "renewing", "settling"}
    /\ Fault
    /\ IF proc[p].pc = "renewing" /\ proc[p].view
           THEN /\ proc' = [proc EXCEPT ![p].pc = "granted"]
                /\ net' = net
           ELSE /\ proc' = [proc EXCEPT ![p] = Idle]
                /\ net' = IF proc[p].pc = "settling" THEN net ELSE net \cup {GiveBack(proc[p].cmd)}
    /\ UNCHANGED <<store, cache, used, life, history>>

Crash(p) ==
    /\ proc[p].pc # "idle"
    /\ Fault
    /\ proc' = [proc EXCEPT ![p] = Idle]
    /\ UNCHANGED <<store, net, cache, used, life, history>>

-----------------------------------------------------------------------------
(* Time. A lease may end at any moment. Its owner knows at the same moment or *)
(* earlier.                                                                   *)

Lapse(t) ==
    /\ leases' = leases \ {t}
    /\ proc' = [p \in Procs |->
                   IF proc[p].pc \in {"granted", "renewing"} /\ proc[p].cmd.token = t
                       THEN [proc[p] EXCEPT !.view = FALSE] ELSE proc[p]]
    /\ UNCHANGED <<db, net, cache, used, faults, life, history>>

LapseInView(p) ==
    /\ proc[p].pc = "granted"
    /\ proc[p].view
    /\ proc' = [proc EXCEPT ![p].view = FALSE]
    /\ UNCHANGED <<store, net, cache, used, faults, life, history>>

(* A settled claim expires. A command that has been sent again is applied or  *)
(* lost before that: a TTL is longer than any statement takes.                *)
Expire(n) ==
    /\ life < MaxLives
    /\ db[n].st \in {"won", "retry"}
    /\ ~db[n].expired
    /\ \A c \in net : \A i \in 1..Len(grants) :
          Acquires(c) => grants[i].token # c.token \/ Bug = "CommandOutlivesTtl"
    /\ db' = [db EXCEPT ![n].expired = TRUE]
    /\ life' = life + 1
    /\ cache' = IF Bug = "CacheOutlivesClaim" THEN cache
                ELSE [m \in Names |-> IF cache[m] = db[n].result THEN 0 ELSE cache[m]]
    /\ UNCHANGED <<leases, net, proc, used, faults, history>>

Sweep(n) ==
    /\ db[n].expired \/ (db[n].of # 0 /\ (db[db[n].of].st = "free" \/ db[db[n].of].of # 0))
    /\ db' = [db EXCEPT ![n] = Free]
    /\ UNCHANGED <<leases, net, proc, cache, used, faults, life, history>>

Abandon(n) ==
    /\ Lapsed(db[n])
    /\ db' = IF Bug = "AbandonedIsDone" THEN [db EXCEPT ![n].st = "won", ![n].result = db[n].token]
             ELSE [db EXCEPT ![n].st = IF Policy = "PARK" THEN "parked" ELSE "retry"]
    /\ UNCHANGED <<leases, net, proc, cache, used, faults, life, history>>

-----------------------------------------------------------------------------

Init ==
    /\ db = [n \in Names |-> Free]
    /\ leases = {}
    /\ net = {}
    /\ proc = [p \in Procs |-> Idle]
    /\ cache = [n \in Names |-> 0]
    /\ used = [p \in Procs |-> 0]
    /\ faults = 0
    /\ life = 0
    /\ grants = <<>>
    /\ effects = {}
    /\ wins = {}
    /\ told = {}

Next ==
    \/ \E c \in net : Apply(c)
    \/ \E p \in Procs :
          \/ \E names \in Calls[p] : Begin(p, names) \/ Replay(p, names)
          \/ RenewFirst(p) \/ Start(p) \/ RenewWhileRunning(p) \/ Return(p)
          \/ \E to \in Outcomes : Finish(p, to)
          \/ Resend(p) \/ GiveUp(p) \/ Crash(p) \/ LapseInView(p)
    \/ \E t \in leases : Lapse(t)
    \/ \E n \in Names : Expire(n) \/ Sweep(n) \/ Abandon(n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* The invariants. Every call is about one piece of work, by its key or by an *)
(* alias, and any two lists of names share a name.                            *)

(* The work starts within a lease of its own, once, and in no other's lease.  *)
OneEffectInALease == \A e \in effects : e.leased /\ e.others = {} /\ ~e.again

(* The work does not start once a success is stored and has not expired.      *)
NoEffectAfterSuccess == \A e \in effects : e.won = {}

(* A stored success is never replaced by another.                             *)
OneSuccess == \A v, w \in wins : v.life = w.life => v.result = w.result

(* Whoever is told a success is told the one that is stored.                  *)
ToldWhatIsStored == \A t \in told : t.result \in t.stored

(* Nobody is told a success that no run has produced.                         *)
ToldWhatRan == \A t \in told : \E e \in effects : e.token = t.result

(* No token acquires twice.                                                   *)
TokensUsedOnce == \A i, j \in 1..Len(grants) : grants[i].token = grants[j].token => i = j

(* Every acquisition has a greater fence than all before it.                  *)
FencesGrow == \A i \in 2..Len(grants) : grants[i - 1].fence < grants[i].fence

(* The work never runs both by its key and by an alias.                       *)
NeverBothNames == \A e, f \in effects : e.life = f.life => e.record = f.record

(* The cache holds only what is committed and has not expired.                *)
CacheIsCommitted == \A n \in Names : cache[n] # 0 => cache[n] \in Won

(* Under PARK, nothing runs twice unless it failed retryably.                 *)
AtMostOnce == \A e, f \in effects : e.life = f.life => e.token = f.token

(* Values for configurations, which cannot contain functions. Name 1 is the   *)
(* key and name 2 its alias.                                                  *)
TwoCallers   == 1 :> {<<1, 2>>} @@ 2 :> {<<2>>}
ThreeCallers == 1 :> {<<1, 2>>} @@ 2 :> {<<2>>} @@ 3 :> {<<2, 1>>}
TwoEach      == [p \in Procs |-> 2]
ThreeEach    == [p \in Procs |-> 3]
ThreeAndTwo  == 1 :> 3 @@ 2 :> 2
=============================================================================
