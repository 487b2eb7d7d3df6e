------------------------------- MODULE Clock --------------------------------
(* SPDX-License-Identifier: Apache-2.0                                        *)
(*                                                                            *)
(* Leases in a store whose conditions know no time: "The clock of DynamoDB"   *)
(* in PROTOCOL.md. Processes know the store's time as an interval [lo, hi].   *)
(* They write leases by hi and take over what has lapsed before lo, with a    *)
(* margin. One step of time is a second.                                      *)
EXTENDS Integers, FiniteSets

CONSTANTS
    Procs,       \* the processes, from 1
    Tokens,      \* how many commands of a process may acquire
    Renewals,    \* how many commands of process 1 may renew; the others only acquire
    MaxTime,     \* how long the model runs
    Lease,       \* the length of every lease
    Width,       \* the greatest distance of lo and hi
    Skew,        \* how far the clocks of the store's servers differ at most
    Margin,      \* how long before lo a lease must have lapsed to be taken over
    MaxStop,     \* how long the host of a process may be suspended, in all
    Bug          \* the planted bug, or "none"

VARIABLES
    now,         \* the time of the store's slowest server
    row,         \* the claim: its owner's token, and until when its lease lasts
    net,         \* commands on their way to the store
    answers,     \* answers on their way back
    proc,        \* what each process is doing
    used,        \* how many commands of each process have acquired
    renewed,     \* how many have renewed
    stopped,     \* how long the clock of each process has stood still
    behind       \* how much of that the process has not learned from answers yet

vars == <<now, row, net, answers, proc, used, renewed, stopped, behind>>

Free == [token |-> 0, until |-> 0]
Idle == [pc |-> "idle", token |-> 0, end |-> 0]

(* The process's own clock. It runs as fast as the store's, unless the host   *)
(* is suspended. Hours between the clocks change nothing: only differences    *)
(* are used.                                                                  *)
Own(p) == now - stopped[p]

(* What the process may know: answers of servers, the slowest and the fastest *)
(* of which bound what lo and hi can be.                                      *)
Readings(p) ==
    LET time == now - behind[p]
    IN  {r \in [lo : (time - Width)..(time + Skew), hi : time..(time + Skew + Width)] :
            r.lo <= r.hi /\ r.hi - r.lo <= Width}

(* Until when a lease is written that begins now: at the earliest and latest. *)
Untils(p) ==
    LET all == {r.hi + Lease : r \in Readings(p)}
    IN  {u \in all : (\A v \in all : u <= v) \/ (\A v \in all : u >= v)}

(* The wall clocks of processes are hours apart. Five seconds are as bad.     *)
WallClock(p) == Own(p) + 5 * (p - 1)

(* Whether the lease in the row may be over, as far as the process can know.  *)
MayBeOver(p) ==
    \E r \in Readings(p) :
        CASE Bug = "TakeOverByHi"       -> row.until <= r.hi - Margin
          [] Bug = "TakeOverByOwnClock" -> row.until <= WallClock(p) - Margin
          [] Bug = "NoMargin"           -> row.until <= r.lo
          [] OTHER                      -> row.until <= r.lo - Margin

-----------------------------------------------------------------------------
(* Commands. The times in a command are those of when it was made. It may     *)
(* arrive at any later time. seen and expected are what was read.             *)

NextToken(p) == 10 * p + used[p] + 1

Ask(p) ==
    /\ proc[p].pc = "idle"
    /\ used[p] < Tokens
    /\ row = Free \/ MayBeOver(p)
    /\ \E until \in Untils(p) :
          net' = net \cup {[op |-> "acquire", by |-> p, token |-> NextToken(p), expected |-> row.token,
                            seen |-> row.until, until |-> until, sent |-> Own(p)]}
    /\ proc' = [proc EXCEPT ![p] = [pc |-> "asking", token |-> NextToken(p), end |-> 0]]
    /\ used' = [used EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<now, row, answers, renewed, stopped, behind>>

(* An owner renews at any time.                                               *)
Renew(p) ==
    /\ proc[p].pc = "owner"
    /\ Own(p) < proc[p].end
    /\ p = 1
    /\ renewed[p] < Renewals
    /\ \E until \in Untils(p) :
          net' = net \cup {[op |-> "renew", by |-> p, token |-> proc[p].token, expected |-> proc[p].token,
                            seen |-> 0, until |-> until, sent |-> Own(p)]}
    /\ renewed' = [renewed EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<now, row, answers, proc, used, stopped, behind>>

Holds(c) ==
    IF c.op = "acquire" THEN row.token = c.expected /\ row.until = c.seen
    ELSE row.token = c.expected /\ (row.until <= c.until \/ Bug = "RenewalShortens")

(* A command that is refused changes nothing, so it is only left in net.      *)
Apply(c) ==
    /\ Holds(c)
    /\ net' = net \ {c}
    /\ row' = [token |-> c.token, until |-> c.until]
    /\ answers' = answers \cup {[by |-> c.by, token |-> c.token, until |-> c.until, sent |-> c.sent, at |-> now]}
    /\ UNCHANGED <<now, proc, used, renewed, stopped, behind>>

(* The longest lease that can be left, counted from when the command was      *)
(* sent: by the earliest hi, and by the earliest date of the answer. Dates    *)
(* are in whole seconds, so one is a second old at most.                      *)
Left(a) ==
    LET hi   == now - behind[a.by]
        date == a.at - 1
    IN  IF Bug = "LateGrantUnnoticed" THEN Lease
        ELSE a.until - (IF date > hi /\ Bug # "DateIgnored" THEN date + 1 ELSE hi)

Max(a, b) == IF a > b THEN a ELSE b

Answer(a) ==
    /\ answers' = answers \ {a}
    /\ IF proc[a.by].token = a.token /\ proc[a.by].pc \in {"asking", "owner"}
           THEN proc' = [proc EXCEPT ![a.by] = [pc |-> "owner", token |-> a.token,
                                                end |-> Max(@.end, a.sent + Left(a))]]
           ELSE proc' = proc
    /\ UNCHANGED <<now, row, net, used, renewed, stopped, behind>>

(* The process stops waiting for an answer.                                   *)
Leave(p) ==
    /\ proc[p].pc = "asking"
    /\ proc' = [proc EXCEPT ![p] = Idle]
    /\ UNCHANGED <<now, row, net, answers, used, renewed, stopped, behind>>

-----------------------------------------------------------------------------
(* Time. A host may be suspended between making a command and sending it, and *)
(* then its clock stands still. Nothing is known of what arrives meanwhile.   *)

Tick ==
    /\ now < MaxTime
    /\ now' = now + 1
    /\ UNCHANGED <<row, net, answers, proc, used, renewed, stopped, behind>>

Suspended(p) ==
    /\ now < MaxTime
    /\ stopped[p] < MaxStop
    /\ proc[p].pc = "asking"
    /\ \E c \in net : c.by = p /\ c.token = proc[p].token
    /\ now' = now + 1
    /\ stopped' = [stopped EXCEPT ![p] = @ + 1]
    /\ behind' = [behind EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<row, net, answers, proc, used, renewed>>

Learn(p) ==
    /\ behind[p] > 0
    /\ behind' = [behind EXCEPT ![p] = 0]
    /\ UNCHANGED <<now, row, net, answers, proc, used, renewed, stopped>>

-----------------------------------------------------------------------------

Init ==
    /\ now = 0
    /\ row = Free
    /\ net = {}
    /\ answers = {}
    /\ proc = [p \in Procs |-> Idle]
    /\ used = [p \in Procs |-> 0]
    /\ renewed = [p \in Procs |-> 0]
    /\ stopped = [p \in Procs |-> 0]
    /\ behind = [p \in Procs |-> 0]

Next ==
    \/ Tick
    \/ \E p \in Procs : Ask(p) \/ Renew(p) \/ Leave(p) \/ Suspended(p) \/ Learn(p)
    \/ \E c \in net : Apply(c)
    \/ \E a \in answers : Answer(a)

Spec == Init /\ [][Next]_vars

(* While a process relies on its lease, nobody else owns the claim.           *)
OneOwner ==
    \A p \in Procs : proc[p].pc = "owner" /\ Own(p) < proc[p].end => row.token = proc[p].token
=============================================================================
