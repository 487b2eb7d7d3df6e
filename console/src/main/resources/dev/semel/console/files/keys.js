// SPDX-License-Identifier: Apache-2.0
// Keys: find one by its key or its digest, or page through all.
import { BASE, get, post } from './api.js';
import { bytes, quoted, number } from './text.js';
import { address, go, goNewer, goOlder, route } from './route.js';
import { can, session } from './state.js';
import { Card, Empty, Failure, Field, Id, Loading, Moment, Status, Table, Text, html, statusWord, useEffect, useLoad, useState, useValue } from './parts.js';

const STATUSES = ['in_progress', 'succeeded', 'failed', 'retryable', 'unknown'];
const AGES = [['', 'any age'], ['60', 'older than 1 min'], ['3600', 'older than 1 h'], ['86400', 'older than 1 day'], ['604800', 'older than 7 days']];
/** The beginning of an id, or 16 characters as logs and answers to webhooks show it: ev_4f2a9c0d11e3b. A number is rather a key. */
const DIGEST = /^(?:(?=.{16}$)[a-z]{1,7}_)?(?=\d*[a-f])[0-9a-f]{6,64}$/i;
const RECORDS = { inbox_event: ['Webhook in the inbox', 'webhooks'], ledger_event: ['Ledger event', 'ledger'], call: ['Call event', 'calls'] };

const COLUMNS = [
  { name: 'State', cell: (claim) => html`<${Status} ...${claim} />` },
  { name: 'Id', cell: (claim) => html`<a href=${address('key', claim.id)}><${Id} id=${claim.id} /></a>` },
  { name: 'Scope', wide: true, cell: (claim) => html`<${Text} title=${claim.scope}>${claim.scope}<//>` },
  { name: 'Attempt', numeric: true, cell: (claim) => claim.attempt },
  { name: 'Result', numeric: true, cell: (claim) => (claim.result_size ? bytes(claim.result_size) : '–') },
  { name: 'Made', cell: (claim) => html`<${Moment} at=${claim.created_at} />` },
  { name: 'Changed', cell: (claim) => html`<${Moment} at=${claim.updated_at} />` },
];

export const KeyTable = ({ keys, caption }) => html`
  <${Table} caption=${caption} columns=${COLUMNS} rows=${keys} of=${(claim) => claim.id} link=${(claim) => address('key', claim.id)} />`;

/** Looks for a raw key, which is sent in a body, never in an address. What is no key, and can be a digest, is looked for as one. */
async function search(text, scope) {
  const found = await post('/v1/keys/lookup', { key: text, ...(scope ? { scope } : {}) });
  const { keys, records = [] } = found;
  if (keys.length + records.length > 0 || !DIGEST.test(text)) return { keys, records, scopes: found.scopes_tried, complete: found.complete };
  const begun = await get('/v1/keys', { prefix: text });
  return { keys: begun.keys, records: begun.records || [], scopes: found.scopes_tried, complete: found.complete };
}

const Records = ({ records }) => html`<ul class="records">${records.map((record) => {
  const [name, screen] = RECORDS[record.kind] || [record.kind, ''];
  return html`<li key=${record.id}>${name} ${screen ? html`<a href=${address(screen, record.id)}><code class="whole">${record.id}</code></a>` : html`<code class="whole">${record.id}</code>`}
    <span class="quiet"><${Moment} at=${record.created_at} /></span></li>`;
})}</ul>`;

function Search() {
  const [text, setText] = useState('');
  const [scope, setScope] = useState('');
  const [state, setState] = useState({});
  const submit = async (event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    setState({ busy: true });
    try {
      const found = await search(text.trim(), scope.trim());
      if (found.keys.length === 1 && found.records.length === 0) go('key', found.keys[0].id);
      else setState({ found });
    } catch (error) {
      setState({ error });
    }
  };
  return html`<${Card} title="Find a key">
    <form class="row" onSubmit=${submit} role="search">
      <${Field} label="Key or digest"><input id="search" type="search" autocomplete="off" spellcheck=${false} value=${text}
        placeholder="order-17, or 4f2a9c0d11e3" onInput=${(event) => setText(event.target.value)} /><//>
      <${Field} label="Scope (optional)"><input autocomplete="off" spellcheck=${false} value=${scope} placeholder="all scopes"
        onInput=${(event) => setScope(event.target.value)} /><//>
      <button type="submit" class="primary" disabled=${state.busy || text.trim() === ''}>${state.busy ? 'Searching …' : 'Find'}</button>
    </form>
    <div aria-live="polite">
      ${state.error && html`<${Failure} error=${state.error} />`}
      ${state.found && state.found.keys.length + state.found.records.length === 0 && html`<p class="notice">Nothing has this key or id in ${number(state.found.scopes)} ${state.found.scopes === 1 ? 'scope' : 'scopes'}${
        state.found.complete ? '' : ' (there are more: name the scope)'}. Keys are compared exactly, and each tenant has its own.</p>`}
      ${state.found && state.found.keys.length > 0 && html`<p>${number(state.found.keys.length)} ${state.found.keys.length === 1 ? 'claim matches' : 'claims match'}.</p>
        <${KeyTable} keys=${state.found.keys} caption="Claims that match" />`}
      ${state.found && state.found.records.length > 0 && html`<${Records} records=${state.found.records} />`}
    </div><//>`;
}

function Filters({ query }) {
  const [scope, setScope] = useState(query.scope || '');
  useEffect(() => setScope(query.scope || ''), [query.scope]);
  const chosen = (query.status || '').split(',').filter(Boolean);
  const change = (next) => go('keys', '', { ...query, after: '', ...next });
  const toggle = (status) => change({ status: (chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]).join(',') });
  return html`<form class="filters" onSubmit=${(event) => {
    event.preventDefault();
    change({ scope: scope.trim() });
  }}>
    <div class="chips" role="group" aria-label="States">
      ${STATUSES.map((status) => html`<button type="button" key=${status} class="chip" aria-pressed=${chosen.includes(status)}
        onClick=${() => toggle(status)}>${statusWord(status)}</button>`)}</div>
    <${Field} label="Scope"><input value=${scope} placeholder="all scopes" autocomplete="off" spellcheck=${false}
      onInput=${(event) => setScope(event.target.value)} onChange=${(event) => change({ scope: event.target.value.trim() })} /><//>
    <${Field} label="Age"><select value=${query.min_age_seconds || ''} onChange=${(event) => change({ min_age_seconds: event.target.value })}>
      ${AGES.map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`)}</select><//>
    ${(chosen.length > 0 || query.scope || query.min_age_seconds || query.prefix) && html`
      <button type="button" class="plain" onClick=${() => go('keys', '', {})}>Clear filters</button>`}
  </form>`;
}

export function Keys() {
  const { query } = useValue(route);
  const { organization } = useValue(session);
  const { after = '', scope = '', status = '', min_age_seconds = '', prefix = '' } = query;
  const { data, error, loading, reload } = useLoad(
    (abort) => get('/v1/keys', { after, scope, status, min_age_seconds, prefix, limit: 50 }, { abort }),
    [after, scope, status, min_age_seconds, prefix, organization]);
  const filtered = scope || status || min_age_seconds || prefix;
  return html`<h1>Keys</h1><${Search} />
    <${Card} title="All claims" actions=${html`<button type="button" class="small" onClick=${reload}>Refresh</button>`}>
      <${Filters} query=${query} />
      ${error && html`<${Failure} error=${error} retry=${reload} />`}
      ${!data && loading && html`<${Loading} />`}
      ${data && data.keys.length > 0 && html`<${KeyTable} keys=${data.keys} caption="Claims, newest first" />`}
      ${data && data.keys.length === 0 && (filtered || after ? html`<${Empty} title=${data.more ? 'No match on this page' : 'No claim matches'}>
          ${data.more ? 'A page reads at most 20,000 claims. Older ones may match.' : scope ? 'Scopes are compared exactly, in full: steps are step:run:step, and the scope of a route ends with its actor.' : 'Change or clear the filters.'}<//>`
        : html`<${Empty} title="No claims yet" command=${example()}>${can('ledger') ? 'Make the first one:' : LIBRARY}<//>`)}
      ${data && (after || data.more) && html`<nav class="pages" aria-label="Pages">
        <button type="button" disabled=${!after} onClick=${() => goNewer('keys', { ...query, after: '' })}>← Newer</button>
        <button type="button" disabled=${!data.more} onClick=${() => goOlder('keys', { ...query, after: data.next })}>Older →</button></nav>`}
    <//>`;
}

/** How claims are made in an application that has no API for them. */
export const LIBRARY = 'Call a method with @Idempotent, or a protected route with an Idempotency-Key.';

/** A command that makes a claim, if the host has the API for it. */
export const example = () => can('ledger') &&
  `curl -s ${BASE}/v1/claims -H 'Content-Type: application/json'${tenantHeader()} -d '{"scope": "card.charge", "key": "order-17"}'`;

export function tenantHeader() {
  const { organization, token } = session.value;
  return `${token ? ' -H "Authorization: Bearer $SEMEL_TOKEN"' : ''}${organization ? ` -H ${quoted(`X-Organization-Id: ${organization}`)}` : ''}`;
}
