// SPDX-License-Identifier: Apache-2.0
// One claim: its state and why, its life, its stored result, and what an operator can do.
import { BASE, get, serverOptions } from './api.js';
import { bytes, millis, number, quoted, shortId } from './text.js';
import { address, route } from './route.js';
import { operates, session } from './state.js';
import { DECISIONS, DecideDialog, decidable, decisionCommand, decisionCurl } from './decisions.js';
import { tenantHeader } from './keys.js';
import { Card, Copy, Empty, Facts, Failure, Json, Loading, Moment, Status, Text, html, useLoad, useState, useValue } from './parts.js';

const STALE = { rerun: 'the next caller runs it again', reconcile: 'a probe finds out what happened', park: 'it is parked for a person' };

/** How a result is stored: its media type, or that it is encrypted. */
const form = (type) => (type === 'semel/sealed' ? 'encrypted' : type);

/** The decision that ended the latest attempt, if a person decided it. */
const decision = (claim) => claim.history.find((entry) => (entry.kind === 'released' || entry.kind.startsWith('decided')) && entry.fence === claim.fence);

/** Why the claim is where it is, and what follows. */
function meaning(claim) {
  switch (claim.status) {
    case 'unknown': return ['warn', 'Nobody knows whether the work happened, so callers receive “outcome unknown”. Find out what happened at the service that the work called, then decide.'];
    case 'in_progress': return claim.lapsed
      ? ['warn', `The owner did not finish and its lease has ended. When somebody asks again, ${STALE[claim.on_stale] || 'it is handled'}. You can also decide now.`]
      : ['', 'An owner is working on it. Duplicates receive “in progress”. It cannot be decided until its lease ends.'];
    case 'succeeded': return ['good', 'The work was done. Duplicates receive the stored result.'];
    case 'failed': return ['', 'The work failed for good. Duplicates receive the failure.'];
    default: return ['', `${decision(claim) ? 'An operator released it.' : 'The last attempt failed.'} The next caller runs it again.`];
  }
}

const KINDS = {
  taken_over: ['Taken over', 'The owner’s lease had ended, and another caller took the work over.', 'warn'],
  conflict: ['Conflict', 'The key was used for another request.', 'bad'],
  parked: ['Parked', 'The outcome is unknown.', 'warn'],
  released: ['Released', 'The next caller runs it again.', 'good'],
  decided_failed: ['Decided: failed', 'Callers receive the failure.', 'bad'],
  decided_succeeded: ['Decided: succeeded', 'Callers receive the result.', 'good'],
  replayed: ['Replayed', 'The event was processed again.', 'warn'],
};

function moments(claim) {
  const all = [{ at: claim.created_at, name: 'Claimed', text: `In the scope ${claim.scope}.` }];
  // History is written with a delay. The latest take-over is the start of the latest attempt.
  const takeOver = claim.history.find((entry) => entry.kind === 'taken_over' && entry.attempt === claim.attempt);
  if (claim.attempt > 1 && !takeOver) all.push({ at: claim.started_at, name: `Attempt ${claim.attempt} started`, text: 'The latest attempt.' });
  for (const entry of claim.history) {
    const [name, text, tone] = KINDS[entry.kind] || [entry.kind, '', ''];
    all.push(entry === takeOver ? { at: claim.started_at, name: `${name}: attempt ${claim.attempt}`, text, tone } : { at: entry.at, name, text, tone, entry });
  }
  if (claim.completed_at && claim.status !== 'unknown' && !decision(claim)) {
    all.push({ at: claim.completed_at, name: claim.status === 'succeeded' ? 'Succeeded' : claim.status === 'failed' ? 'Failed' : 'Settled',
      text: claim.result_type ? `Stored ${bytes(claim.result_size)}, ${form(claim.result_type)}.` : claim.reason || '', tone: claim.status === 'succeeded' ? 'good' : 'bad' });
  }
  if (claim.status === 'unknown' && !claim.history.some((entry) => entry.kind === 'parked')) {
    all.push({ at: claim.updated_at, name: 'Parked', text: 'The outcome is unknown.', tone: 'warn' });
  }
  all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (claim.expires_at) all.push({ at: claim.expires_at, name: 'Expires', text: 'After that, the same key is a new request.', future: true });
  return all;
}

const Pointers = ({ details }) => html`<ul class="pointers">
  ${details.split(/,\s*(?=\/)/).map((pointer) => html`<li key=${pointer}><code><bdi>${pointer}</bdi></code></li>`)}</ul>`;

const Timeline = ({ claim }) => html`<ol class="timeline">
  ${moments(claim).map((moment, place) => html`<li key=${place} class=${`${moment.tone || ''} ${moment.future ? 'future' : ''}`}>
    <p><span class="strong">${moment.name}</span> <${Moment} at=${moment.at} /></p>
    ${moment.text && html`<p class="quiet"><bdi>${moment.text}</bdi></p>`}
    ${moment.entry?.details && (moment.entry.kind === 'conflict'
      ? html`<p class="quiet">Differs at:</p><${Pointers} details=${moment.entry.details} />` : html`<p><${Text}>${moment.entry.details}<//></p>`)}
    ${moment.entry?.reason && html`<p>“<bdi>${moment.entry.reason}</bdi>”</p>`}
    ${moment.entry?.actor && html`<p class="quiet">by <bdi>${moment.entry.actor}</bdi>${moment.entry.fence ? `, fence ${moment.entry.fence}` : ''}</p>`}
  </li>`)}</ol>`;

const Result = ({ claim }) => {
  if (!claim.result) {
    return html`<${Empty} title="No stored result">${claim.status === 'succeeded' ? 'The claim stores only that the work is done.' : 'The work has not been settled with a result.'}<//>`;
  }
  return html`<p class="quiet">${bytes(claim.result.size)}, ${form(claim.result.type)}. Redacted here; callers receive what was stored.</p>
    ${claim.result.note ? html`<p class="notice"><bdi>${claim.result.note}</bdi></p>` : html`<${Json} value=${claim.result.content} label="Stored result" />`}`;
};

const Commands = ({ claim }) => {
  const show = `curl -s ${quoted(`${BASE}/v1/keys/${claim.id}`)}${tenantHeader()}`;
  const rows = [['Show it', show, `./semel keys show ${shortId(claim.id)}${serverOptions()}`]];
  if (decidable(claim)) {
    for (const [id, decision] of Object.entries(DECISIONS)) {
      rows.push([decision.name, decisionCurl(BASE, claim, id) + tenantHeader(), decisionCommand(claim, id)]);
    }
  }
  return html`<ul class="commands">${rows.map(([name, curl, command]) => html`<li key=${name}><span>${name}</span>
    <span class="buttons"><${Copy} text=${curl} what="curl" label="Copy as curl" /><${Copy} text=${command} what="Command" label="Copy as ./semel" /></span>
    <code class="quiet" tabindex="0">${command}</code></li>`)}</ul>`;
};

/** Nothing of one claim may stay on the screen of another. */
export const Key = () => {
  const { id } = useValue(route);
  return html`<${Claim} key=${id} id=${id} />`;
};

function Claim({ id }) {
  const { organization } = useValue(session);
  const [deciding, setDeciding] = useState('');
  const { data: claim, error, reload } = useLoad((abort) => get(`/v1/keys/${encodeURIComponent(id)}`, {}, { abort, exact: true }), [id, organization], 2_500);
  if (error && error.status === 404) {
    return html`<h1>Key</h1><${Empty} title="No such claim">It may have expired, or it belongs to another tenant. <a href=${address('keys')}>Find another</a>.<//>`;
  }
  if (!claim) return html`<h1>Key</h1>${error ? html`<${Failure} error=${error} retry=${reload} />` : html`<${Loading} />`}`;
  const [tone, text] = meaning(claim);
  return html`
    <p class="crumbs"><a href=${address('keys')}>Keys</a> / <code>${shortId(claim.id)}</code></p>
    <div class="heading"><h1><bdi>${claim.scope}</bdi></h1><${Status} ...${claim} /></div>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    <div class=${`notice ${tone}`}><p>${text}</p>${claim.reason && html`<p>Reason: <bdi class="strong">${claim.reason}</bdi></p>`}
      ${decidable(claim) && html`<div class="buttons">${Object.entries(DECISIONS).map(([name, decision]) => html`
        <button type="button" key=${name} class=${name === 'release' ? 'primary' : ''} onClick=${() => setDeciding(name)}>${decision.name} …</button>`)}</div>`}
      ${!operates() && (claim.status === 'unknown' || claim.lapsed) && html`<p class="quiet">An operator can decide it.</p>`}</div>
    <div class="columns">
      <div>
        <${Card} title="Life"><${Timeline} claim=${claim} /><//>
        <${Card} title="Stored result"><${Result} claim=${claim} /><//>
      </div>
      <div>
        <${Card} title="Facts"><${Facts} facts=${[
          ['Id', html`<code class="whole">${claim.id}</code> <${Copy} text=${claim.id} what="Id" />`],
          ['Attempts', number(claim.attempt)],
          ['Replays', `${number(claim.replays)} (approximately)`],
          ['Fence', html`<code>${claim.fence}</code>`],
          ['If its owner disappears', STALE[claim.on_stale] || claim.on_stale],
          claim.lease_until && ['Lease', html`${claim.lapsed ? 'ended' : 'ends'} <${Moment} at=${claim.lease_until} />`],
          claim.completed_at && ['Took', millis(Math.max(1, Date.parse(claim.completed_at) - Date.parse(claim.started_at)))],
          claim.conflicts_with && ['Conflicts with', html`<a href=${address('key', claim.conflicts_with)}><code>${shortId(claim.conflicts_with)}</code></a>`],
        ]} /><//>
        <${Card} title="Commands"><${Commands} claim=${claim} /><//>
      </div>
    </div>
    ${deciding && html`<${DecideDialog} claim=${claim} first=${deciding} onClose=${() => setDeciding('')}
      onDecided=${() => {
        setDeciding('');
        reload();
      }} />`}`;
}
