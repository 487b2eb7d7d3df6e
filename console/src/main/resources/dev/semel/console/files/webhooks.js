// SPDX-License-Identifier: Apache-2.0
// Webhooks: what each provider sent and what became of it; the inbox; a replay on purpose.
import { BASE, get, post, serverOptions, watchStats } from './api.js';
import { address, go, goNewer, goOlder, route } from './route.js';
import { operates, session, stats, toast } from './state.js';
import { number, quoted } from './text.js';
import { tenantHeader } from './keys.js';
import { Card, Copy, Dialog, Empty, Facts, Failure, Field, Json, Loading, Moment, Table, Text, html, useEffect, useLoad, useState, useValue } from './parts.js';

const COUNTS = [
  { name: 'Provider', wide: true, cell: (row) => html`<a href=${address('webhooks', '', { provider: row.provider })}><${Text}>${row.provider}<//></a>` },
  ...[['Received', 'received'], ['Processed', 'processed'], ['Duplicate', 'duplicates'], ['Refused', 'refused'], ['Conflicting', 'differing'],
    ['Failed', 'failed'], ['Invalid', 'invalid'], ['Unverified', 'unverified'], ['Replayed', 'replayed']]
    .map(([name, member]) => ({ name, numeric: true, cell: (row) => number(row[member]) })),
];

function example() {
  const tenant = session.value.me.tenant;
  // In production, only signed deliveries of configured providers are accepted.
  if (session.value.token) return `SEMEL_WEBHOOK_SECRET=$SECRET ./semel trigger stripe --org ${quoted(tenant)} --url ${BASE}`;
  const path = tenant === 'default' ? '/webhooks/paypal' : `/webhooks/${encodeURIComponent(tenant)}/paypal`;
  return `curl -s ${quoted(BASE + path)} -H 'Content-Type: application/json' -d '{"id": "WH-123", "event_type": "PAYMENT.CAPTURE.COMPLETED", "resource": {"id": "2GG279541U471931P"}}'`;
}

const Acknowledged = ({ event }) => (event.acked_at ? html`<${Moment} at=${event.acked_at} /> <span class="quiet"><bdi>${event.acked_by || ''}</bdi></span>` : html`<span class="status retryable">open</span>`);

function ReplayDialog({ event, onClose, onReplayed }) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (submitted) => {
    submitted.preventDefault();
    setBusy(true);
    try {
      await post(`/v1/inbox/${event.id}/replay`, { reason: reason.trim() });
      toast('Processed again');
      onReplayed();
    } catch (error) {
      setProblem(error.message);
      setBusy(false);
    }
  };
  return html`<${Dialog} title="Process this event again" onClose=${onClose}><form onSubmit=${submit}>
    <p>The event goes to its provider’s sink once more, although it was processed before. Consumers that are not idempotent will act twice.</p>
    <${Field} label="Reason" hint="Kept with your name."><input name="reason" required autofocus maxlength="100" autocomplete="off" value=${reason} onInput=${(typed) => setReason(typed.target.value)} /><//>
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    <div class="buttons"><button type="button" onClick=${onClose}>Cancel</button>
      <button type="submit" class="primary" disabled=${busy || reason.trim() === ''}>Process it again</button></div></form><//>`;
}

function Event({ id }) {
  const { organization } = useValue(session);
  const [replaying, setReplaying] = useState(false);
  const { data: event, error, reload } = useLoad((abort) => get(`/v1/inbox/${encodeURIComponent(id)}`, {}, { abort, exact: true }), [id, organization]);
  const crumbs = html`<p class="crumbs"><a href=${address('webhooks')}>Webhooks</a> / <code>${id.slice(0, 8)}</code></p>`;
  if (!event) return html`${crumbs}<h1>Event</h1>${error ? html`<${Failure} error=${error} retry=${reload} />` : html`<${Loading} />`}`;
  const prefix = event.key_prefix.replace(/^.*[^0-9a-f]/, '');
  return html`${crumbs}<div class="heading"><h1><bdi>${event.event_type || 'Event'}</bdi></h1><span class="status succeeded"><bdi>${event.provider}</bdi></span></div>
    <div class="columns"><${Card} title="Content">
      ${event.unreadable ? html`<p class="notice bad">The body cannot be read: ${event.unreadable.replaceAll('_', ' ')}.</p>`
        : event.body_base64 === undefined ? html`<${Json} value=${event.body} label="Body of the event" />`
        : html`<pre class="json" tabindex="0">${event.body_base64}</pre>`}<//>
    <div><${Card} title="Facts" actions=${operates() && html`<button type="button" class="small" onClick=${() => setReplaying(true)}>Process again …</button>`}>
      <${Facts} facts=${[
        ['Id', html`<code class="whole">${event.id}</code>`],
        ['Received', html`<${Moment} at=${event.received_at} />`],
        ['Acknowledged', html`<${Acknowledged} event=${event} />`],
        ['Signature', event.unverified ? 'not verified' : 'verified'],
        ['Claim', prefix.length >= 6 ? html`<a href=${address('keys', '', { prefix })}><code>${event.key_prefix}</code></a>` : html`<code>${event.key_prefix}</code>`],
        ['SHA-256 of the body', html`<code class="whole">${event.payload_hash}</code>`],
      ]} /><//>
      ${event.headers && html`<${Card} title="Headers"><${Facts} facts=${Object.entries(event.headers).map(([name, value]) => [name, html`<bdi class="whole">${value}</bdi>`])} /><//>`}
      <${Card} title="Commands"><p class="buttons"><${Copy} text=${`curl -s ${quoted(`${BASE}/v1/inbox/${event.id}`)}${tenantHeader()}`} what="curl" label="Copy as curl" />
        ${operates() && html`<${Copy} text=${`./semel inbox replay ${event.id} --reason 'why'${serverOptions()}`} what="Command" label="Copy replay as ./semel" />`}</p><//></div></div>
    ${replaying && html`<${ReplayDialog} event=${event} onClose=${() => setReplaying(false)} onReplayed=${() => {
      setReplaying(false);
      go('webhooks');
    }} />`}`;
}

function Inbox({ query }) {
  const { organization } = useValue(session);
  const { provider = '', open = '', before = '' } = query;
  const { data, error, loading, reload } = useLoad((abort) => get('/v1/inbox', { provider, unacknowledged: open ? 'true' : '', last: 50, before }, { abort }), [provider, open, before, organization], before ? 0 : 5_000);
  const [typed, setTyped] = useState(provider);
  useEffect(() => setTyped(provider), [provider]);
  const columns = [
    { name: 'Received', cell: (event) => html`<${Moment} at=${event.received_at} />` },
    { name: 'Provider', cell: (event) => html`<${Text}>${event.provider}<//>` },
    { name: 'Type', wide: true, cell: (event) => html`<a href=${address('webhooks', event.id)}><${Text} title=${event.event_type || ''}>${event.event_type || 'event'}<//></a>` },
    { name: 'Key', cell: (event) => html`<code>${event.key_prefix}</code>` },
    { name: 'Signature', cell: (event) => (event.unverified ? html`<span class="status retryable">not verified</span>` : 'verified') },
    { name: 'Acknowledged', cell: (event) => html`<${Acknowledged} event=${event} />` },
  ];
  return html`<${Card} title="Inbox" actions=${html`<button type="button" class="small" onClick=${reload}>Refresh</button>`}>
    <form class="filters" onSubmit=${(event) => {
      event.preventDefault();
      go('webhooks', '', { provider: typed.trim(), open });
    }}>
      <${Field} label="Provider"><input value=${typed} placeholder="all providers" autocomplete="off" onInput=${(event) => setTyped(event.target.value)}
        onChange=${(event) => go('webhooks', '', { provider: event.target.value.trim(), open })} /><//>
      <div class="chips"><button type="button" class="chip" aria-pressed=${open !== ''} onClick=${() => go('webhooks', '', { provider, open: open ? '' : '1' })}>Not acknowledged</button></div>
    </form>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && loading && html`<${Loading} />`}
    ${data && data.events.length > 0 && html`<${Table} caption="Received events, newest first" columns=${columns} rows=${[...data.events].reverse()} of=${(event) => event.id} link=${(event) => address('webhooks', event.id)} />`}
    ${data && data.events.length === 0 && (provider || open ? html`<${Empty} title="No event matches">Change the filters.<//>`
      : html`<${Empty} title="No events yet" command=${example()}>${session.value.token ? 'Deliver one, to a provider of your settings and with its secret:' : 'Deliver one:'}<//>`)}
    ${data && (before || data.previous) && html`<nav class="pages" aria-label="Pages">
      <button type="button" disabled=${!before} onClick=${() => goNewer('webhooks', { ...query, before: '' })}>← Newer</button>
      <button type="button" disabled=${!data.previous} onClick=${() => goOlder('webhooks', { ...query, before: data.previous })}>Older →</button></nav>`}
  <//>`;
}

export function Webhooks() {
  const { id, query } = useValue(route);
  const shown = useValue(stats);
  useEffect(watchStats, []);
  if (id) return html`<${Event} key=${id} id=${id} />`;
  return html`<h1>Webhooks</h1>
    <${Card} title="By provider">
      ${!shown ? html`<${Loading} />` : shown.webhooks.length === 0
        ? html`<p class="quiet">This instance has received none since its start.</p>`
        : html`<${Table} caption="Webhooks by provider since the start of this instance" columns=${COUNTS} rows=${shown.webhooks} of=${(row) => row.provider} />
          <p class="quiet">Since the start of this instance.</p>`}<//>
    <${Inbox} query=${query} />`;
}
