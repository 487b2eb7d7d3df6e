// SPDX-License-Identifier: Apache-2.0
// Decisions about parked claims: one, or several after a preview. Each carries the fence that the user saw.
import { post, serverOptions } from './api.js';
import { operates, toast } from './state.js';
import { quoted, relative, shortId } from './text.js';
import { Dialog, Field, Id, Status, Table, Text, html, useEffect, useRef, useState } from './parts.js';

export const DECISIONS = {
  release: { name: 'Release', means: 'The work was not done. The next caller runs it again, with the same child keys.', done: 'Released', will: 'will be released' },
  fail: { name: 'Fail', means: 'The work failed for good. Callers receive the failure.', done: 'Decided: failed', will: 'will be marked as failed' },
  succeed: { name: 'Succeed', means: 'The work was done. Callers receive the result, if you give one.', many: 'The work was done. Callers learn that, without a result.', done: 'Decided: succeeded', will: 'will be marked as succeeded' },
};

/** Whether an operator may decide it now: it is parked, or its lease has ended. */
export const decidable = (claim) => operates() && (claim.status === 'unknown' || claim.lapsed);

/** @param result JSON as the user wrote it: parsing and printing it would round large numbers */
export const decide = (claim, decision, reason, result) => post(`/v1/keys/${claim.id}/${decision}`,
  `${JSON.stringify({ fence: claim.fence, reason }).slice(0, -1)}${result === undefined ? '' : `,"result":${result}`}}`);

export const decisionCommand = (claim, decision, reason) =>
  `./semel keys ${decision} ${shortId(claim.id)} --fence ${claim.fence} --reason ${quoted(reason || 'why')}${serverOptions()}`;

export const decisionCurl = (base, claim, decision, reason) =>
  `curl -s ${quoted(`${base}/v1/keys/${claim.id}/${decision}`)} -H 'Content-Type: application/json' -d ${
    quoted(JSON.stringify({ fence: claim.fence, reason: reason || 'why' }))}`;

const ReasonField = ({ value, set }) => html`
  <${Field} label="Reason" hint="Kept in the audit trail, with your name.">
    <input name="reason" required autofocus maxlength="255" value=${value} autocomplete="off" placeholder="the bank has no such payment"
      onInput=${(event) => set(event.target.value)} /><//>`;

const Choice = ({ value, set }) => html`
  <fieldset class="choices"><legend>Decision</legend>
    ${Object.entries(DECISIONS).map(([id, decision]) => html`<label key=${id} class="choice">
      <input type="radio" name="decision" value=${id} checked=${value === id} onChange=${() => set(id)} />
      <span><span class="strong">${decision.name}</span><span class="hint">${decision.means}</span></span></label>`)}
  </fieldset>`;

/** Decides one claim, as it was when the dialog opened. The screen below it may show a later state by now. */
export function DecideDialog({ claim: seen, first, onClose, onDecided }) {
  const [claim] = useState(seen);
  const [decision, setDecision] = useState(first || 'release');
  const [reason, setReason] = useState('');
  const [result, setResult] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const given = decision === 'succeed' && result.trim() !== '' ? result : undefined;
    if (given !== undefined) {
      try {
        JSON.parse(given);
      } catch (error) {
        setProblem(`The result must be JSON: ${error.message}`);
        return;
      }
    }
    setBusy(true);
    try {
      await decide(claim, decision, reason.trim(), given);
      toast(`${DECISIONS[decision].done}: ${shortId(claim.id)}`);
      onDecided();
    } catch (error) {
      setProblem(error.message);
      setBusy(false);
    }
  };
  return html`<${Dialog} title="Decide this claim" onClose=${onClose}>
    <form onSubmit=${submit}>
      <p class="quiet"><bdi>${claim.scope}</bdi> · <${Id} id=${claim.id} /> · attempt ${claim.attempt}</p>
      <${Choice} value=${decision} set=${setDecision} />
      <${ReasonField} value=${reason} set=${setReason} />
      ${decision === 'succeed' && html`<${Field} label="Result (JSON, optional)" hint="Callers receive it. It is stored encrypted.">
        <textarea name="result" rows="4" spellcheck=${false} value=${result} onInput=${(event) => setResult(event.target.value)}></textarea><//>`}
      ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
      <div class="buttons"><button type="button" onClick=${onClose}>Cancel</button>
        <button type="submit" class="primary" disabled=${busy || reason.trim() === ''}>${DECISIONS[decision].name} it</button></div>
    </form><//>`;
}

/** Ignores the second click of a double click, which was meant for the button that was here before. */
const once = (action) => (event) => event.detail <= 1 && action();

/** Decides several claims: choose, preview, run one after the other, see what happened to each. */
export function BulkDialog({ claims, onClose, onDecided }) {
  const [decision, setDecision] = useState('release');
  const [reason, setReason] = useState('');
  const [step, setStep] = useState('choose');
  const [outcomes, setOutcomes] = useState({});
  const stopped = useRef(false);
  // Also if the user goes to another screen, or the session ends.
  useEffect(() => () => {
    stopped.current = true;
  }, []);
  const run = async () => {
    setStep('running');
    for (const claim of claims) {
      if (stopped.current) break;
      let outcome;
      try {
        await decide(claim, decision, reason.trim());
        outcome = { good: true, text: DECISIONS[decision].done };
      } catch (error) {
        outcome = { good: false, text: error.is?.('key-moved-on') ? 'Has moved on: unchanged'
          : error.is?.('key-in-progress') ? 'In progress: unchanged' : error.message };
        // The others would fail the same way.
        if (!error.status || error.status === 401 || error.status === 403) stopped.current = true;
      }
      setOutcomes((before) => ({ ...before, [claim.id]: outcome }));
    }
    setStep('done');
  };
  const finish = () => {
    stopped.current = true;
    if (step === 'choose' || step === 'preview') onClose();
    else onDecided();
  };
  const decided = Object.values(outcomes).filter((outcome) => outcome.good).length;
  const columns = [
    { name: 'Id', cell: (claim) => html`<${Id} id=${claim.id} />` },
    { name: 'Scope', wide: true, cell: (claim) => html`<${Text}>${claim.scope}<//>` },
    { name: 'State', cell: (claim) => html`<${Status} ...${claim} />` },
    { name: 'Made', cell: (claim) => relative(claim.created_at) },
    { name: 'Fence', numeric: true, cell: (claim) => claim.fence },
    { name: 'Outcome', wide: true, cell: (claim) => outcomes[claim.id]
      ? html`<span class=${outcomes[claim.id].good ? 'good' : 'bad'}>${outcomes[claim.id].text}</span>`
      : html`<span class="quiet">${step === 'running' ? 'waiting' : step === 'done' ? 'not decided' : DECISIONS[decision].will}</span>` },
  ];
  return html`<${Dialog} title=${`Decide ${claims.length} claims`} onClose=${finish} wide>
    ${step === 'choose' && html`<form onSubmit=${(event) => {
      event.preventDefault();
      setStep('preview');
    }}>
      <${Choice} value=${decision} set=${setDecision} />
      <${ReasonField} value=${reason} set=${setReason} />
      <div class="buttons"><button type="button" onClick=${onClose}>Cancel</button>
        <button type="submit" class="primary" disabled=${reason.trim() === ''}>Preview</button></div></form>`}
    ${step !== 'choose' && html`
      <p>${step === 'preview' ? `${DECISIONS[decision].many || DECISIONS[decision].means} Nothing has changed yet. A claim that has moved on is left alone.`
        : `${decided} of ${claims.length} decided${step === 'done' ? '' : ' …'}`}</p>
      <${Table} caption="Claims to decide" columns=${columns} rows=${claims} of=${(claim) => claim.id} />
      <div class="buttons">
        ${step === 'preview' && html`<button type="button" onClick=${() => setStep('choose')}>Back</button>
          <button type="button" class="primary" onClick=${run}>${DECISIONS[decision].name} ${claims.length} claims</button>`}
        ${step === 'running' && html`<button type="button" onClick=${once(() => {
          stopped.current = true;
        })}>Stop</button>`}
        ${step === 'done' && html`<button type="button" class="primary" onClick=${once(finish)}>Done</button>`}
      </div>`}
  <//>`;
}
