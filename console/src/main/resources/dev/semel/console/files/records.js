// SPDX-License-Identifier: Apache-2.0
// The ledger and call events: the latest, and one by its key or id.
import { BASE, get, post } from './api.js';
import { address, go, goNewer, goOlder, route } from './route.js';
import { session } from './state.js';
import { quoted } from './text.js';
import { tenantHeader } from './keys.js';
import { Card, Copy, Empty, Facts, Failure, Field, Json, Loading, Moment, Table, Text, html, useEffect, useLoad, useState, useValue } from './parts.js';

/** The ids of one hour begin alike, so their ends are shown. */
const ending = (id) => id.slice(-12);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const LEDGER = {
  title: 'Ledger',
  list: '/api/ledger/events',
  owner: 'org_id',
  items: 'events',
  one: (id, owner) => [`/api/ledger/events/${id}`, { org_id: owner }],
  lookup: (key, owner) => post('/api/ledger/lookup', { org_id: owner, idempotency_key: key }, { exact: true }),
  keyName: 'Idempotency key or event id',
  example: (owner) => `curl -s ${BASE}/api/ledger/ingest -H 'Content-Type: application/json'${tenantHeader()} -d ${
    quoted(JSON.stringify({ idempotency_key: 'sync-7:invoice-42', event: { org_id: owner, event_type: 'invoice.paid', payload: { amount: 100 } } }))}`,
  columns: [
    { name: 'Written', cell: (event) => html`<${Moment} at=${event.created_at} />` },
    { name: 'Type', cell: (event) => html`<${Text}>${event.event_type}<//>` },
    { name: 'Entity', cell: (event) => html`<${Text}>${[event.entity_type, event.entity_id].filter(Boolean).join(' ') || '–'}<//>` },
    { name: 'Actor', cell: (event) => html`<${Text}>${event.actor_id || '–'}<//>` },
  ],
};

const CALLS = {
  title: 'Call events',
  list: '/api/calls',
  owner: 'site_id',
  items: 'calls',
  one: (id) => [`/api/calls/${id}`, {}],
  lookup: null,
  keyName: 'Call id',
  example: (owner) => {
    const body = quoted(JSON.stringify({ site_id: owner, caller: 'desk' }));
    // In production, only signed events of configured sites are accepted.
    return session.value.token
      ? `T=$(date +%s); B=${body}; curl -s ${BASE}/api/call-event -H 'Content-Type: application/json' -H "x-ops-timestamp: $T" -H "x-ops-signature: $(printf '%s.%s' "$T" "$B" | openssl dgst -sha256 -hmac "$SITE_SECRET" | sed 's/.*= //')" -d "$B"`
      : `curl -s ${BASE}/api/call-event -H 'Content-Type: application/json' -d ${body}`;
  },
  columns: [
    { name: 'Stored', cell: (call) => html`<${Moment} at=${call.created_at} />` },
    { name: 'Signature', cell: (call) => (call.unverified ? html`<span class="status retryable">not verified</span>` : 'verified') },
    { name: 'Signature hash', cell: (call) => html`<code>${(call.signature_hash || '–').slice(0, 12)}</code>` },
    { name: 'Body', wide: true, cell: (call) => html`<${Text}>${JSON.stringify(call.body).slice(0, 80)}<//>` },
  ],
};

function Record({ kind, id, owner }) {
  const { data, error, reload } = useLoad((abort) => get(...kind.one(encodeURIComponent(id), owner), { abort, exact: true }), [id, owner, kind]);
  if (error) return html`<${Card} title=${kind.title}><${Failure} error=${error} retry=${reload} /><//>`;
  return data ? html`<${Shown} kind=${kind} record=${data} />` : html`<${Loading} />`;
}

const Shown = ({ kind, record }) => html`<${Card} title=${`${kind.title}: ${record.event_type || ending(record.id)}`}
    actions=${html`<${Copy} text=${`curl -s ${quoted(BASE + kind.one(record.id, '')[0])}${tenantHeader()}`} what="curl" label="Copy as curl" />`}>
  <${Facts} facts=${[['Id', html`<code class="whole">${record.id}</code>`], ['Written', html`<${Moment} at=${record.created_at} />`]]} />
  <${Json} value=${record} label=${`${kind.title}: the whole record`} /><//>`;

function Find({ kind, owner }) {
  const [text, setText] = useState('');
  const [state, setState] = useState({});
  const submit = async (event) => {
    event.preventDefault();
    const wanted = text.trim();
    setState({ busy: true });
    try {
      const found = UUID.test(wanted) ? await get(...kind.one(wanted, owner), { exact: true })
        : kind.lookup ? await kind.lookup(wanted, owner) : null;
      setState(found ? { found } : { none: 'A call event is found by its id.' });
    } catch (error) {
      setState(error.status === 404 ? { none: 'Nothing has this key or id.' } : { error });
    }
  };
  return html`<form class="row" onSubmit=${submit} role="search">
      <${Field} label=${kind.keyName}><input type="search" autocomplete="off" spellcheck=${false} value=${text} onInput=${(event) => setText(event.target.value)} /><//>
      <button type="submit" class="primary" disabled=${text.trim() === '' || state.busy}>Find</button></form>
    <div aria-live="polite">${state.none && html`<p class="notice">${state.none}</p>`}${state.error && html`<${Failure} error=${state.error} />`}</div>
    ${state.found && html`<${Shown} kind=${kind} record=${state.found} />`}`;
}

function List({ kind, owner, query, screen }) {
  const { before = '' } = query;
  const { data, error, loading, reload } = useLoad((abort) => get(kind.list, { [kind.owner]: owner, last: 50, before }, { abort }), [kind, owner, before], before ? 0 : 5_000);
  return html`<${Card} title="Latest" actions=${html`<button type="button" class="small" onClick=${reload}>Refresh</button>`}>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && loading && html`<${Loading} />`}
    ${data && data[kind.items].length > 0 && html`<${Table} caption=${`${kind.title}, newest first`} of=${(record) => record.id} rows=${[...data[kind.items]].reverse()}
      columns=${[...kind.columns, { name: 'Id', cell: (record) => html`<a href=${address(screen, record.id, query)}><code title=${record.id}>…${ending(record.id)}</code></a>` }]}
      link=${(record) => address(screen, record.id, query)} />`}
    ${data && data[kind.items].length === 0 && html`<${Empty} title="Nothing is stored here yet" command=${kind.example(owner)}>Write the first one:<//>`}
    ${data && (before || data.previous) && html`<nav class="pages" aria-label="Pages">
      <button type="button" disabled=${!before} onClick=${() => goNewer(screen, { ...query, before: '' })}>← Newer</button>
      <button type="button" disabled=${!data.previous} onClick=${() => goOlder(screen, { ...query, before: data.previous })}>Older →</button></nav>`}<//>`;
}

export function Records() {
  const { screen, id, query } = useValue(route);
  const { me } = useValue(session);
  const kind = screen === 'calls' ? CALLS : LEDGER;
  // Without tokens, the owner is a free choice. Otherwise it is the tenant.
  const owner = me.chooses_tenant && query.owner ? query.owner : me.tenant;
  const [typed, setTyped] = useState(owner);
  useEffect(() => setTyped(owner), [owner]);
  return html`<div class="heading"><h1>Ledger and calls</h1>
      <nav class="tabs" aria-label="Kind of records"><a href=${address('ledger')} aria-current=${screen === 'ledger' ? 'page' : undefined}>Ledger</a>
        <a href=${address('calls')} aria-current=${screen === 'calls' ? 'page' : undefined}>Call events</a></nav></div>
    ${id ? html`<p class="crumbs"><a href=${address(screen, '', query)}>${kind.title}</a> / <code>…${ending(id)}</code></p><${Record} key=${id} kind=${kind} id=${id} owner=${owner} />`
      : html`<${Card} title=${`Find in ${screen === 'calls' ? 'the call events' : 'the ledger'}`}>
          ${me.chooses_tenant && html`<form class="row" onSubmit=${(event) => {
            event.preventDefault();
            go(screen, '', { owner: typed.trim() });
          }}><${Field} label=${screen === 'calls' ? 'Site' : 'Organization'}><input value=${typed} autocomplete="off" onInput=${(event) => setTyped(event.target.value)}
            onChange=${(event) => go(screen, '', { owner: event.target.value.trim() })} /><//></form>`}
          <${Find} key=${screen + owner} kind=${kind} owner=${owner} /><//>
        <${List} key=${screen + owner} kind=${kind} owner=${owner} query=${query} screen=${screen} />`}`;
}
