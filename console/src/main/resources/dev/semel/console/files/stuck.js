// SPDX-License-Identifier: Apache-2.0
// Stuck: parked claims first, then those whose lease has ended, then the oldest that still run.
import { BASE, get } from './api.js';
import { address } from './route.js';
import { can, session } from './state.js';
import { duration, number, relative } from './text.js';
import { BulkDialog, DecideDialog, decidable } from './decisions.js';
import { tenantHeader } from './keys.js';
import { Card, Empty, Failure, Id, Loading, Moment, Status, Table, Text, html, useEffect, useNow, useRef, useState, useValue } from './parts.js';

/** How many pages are read at once. Each reads up to 20,000 claims of the database. */
const PAGES = 5;
const MOST = 2_000;
/** How many rows are drawn at first. */
const ROWS = 100;

const rank = (claim) => (claim.status === 'unknown' ? 0 : claim.lapsed ? 1 : 2);

/** Open claims: read page by page, further back on demand. */
export function useOpenClaims(every = 0) {
  const { organization } = useValue(session);
  const [state, setState] = useState({ claims: null, error: null, next: '', more: false, busy: true });
  const run = useRef(new AbortController());
  const tenant = useRef(organization);
  const read = async (start, before, pages) => {
    run.current.abort();
    const abort = new AbortController();
    run.current = abort;
    let claims = before;
    let next = start;
    let more = true;
    setState((known) => ({ ...known, busy: true }));
    try {
      for (let page = 0; page < pages && more && claims.length < MOST; page++) {
        const found = await get('/v1/keys', { status: 'in_progress,unknown', limit: 500, after: next }, { abort: abort.signal });
        if (abort.signal.aborted) return;
        claims = [...claims, ...found.keys];
        next = found.next;
        more = found.more;
        if (page === 0 || !more) setState((known) => ({ ...known, claims: sorted(claims), error: null }));
      }
      setState({ claims: sorted(claims), error: null, next, more, busy: false });
    } catch (error) {
      if (!abort.signal.aborted) setState((known) => ({ ...known, error, busy: false }));
    }
  };
  useEffect(() => {
    // Claims of another tenant must not stay on the screen.
    if (tenant.current !== organization) setState({ claims: null, error: null, next: '', more: false, busy: true });
    tenant.current = organization;
    read('', [], PAGES);
    const timer = every ? setInterval(() => document.visibilityState === 'visible' && read('', [], PAGES), every) : 0;
    return () => {
      run.current.abort();
      clearInterval(timer);
    };
  }, [organization, every]);
  return { ...state, reload: () => read('', [], PAGES), further: () => read(state.next, state.claims || [], 4 * PAGES) };
}

const sorted = (claims) => [...claims].sort((a, b) => rank(a) - rank(b) || Date.parse(a.created_at) - Date.parse(b.created_at));

const Lease = ({ claim }) => {
  const now = useNow();
  if (claim.status === 'unknown') return html`<span class="quiet">–</span>`;
  if (!claim.lease_until) return claim.lapsed ? 'ended' : 'running';
  const start = Date.parse(claim.started_at);
  const end = Date.parse(claim.lease_until);
  const left = end - now;
  const part = Math.max(0, Math.min(1, (now - start) / Math.max(1, end - start)));
  return html`<span class=${`lease ${claim.lapsed ? 'over' : ''}`} title=${claim.lease_until}>
    <meter min="0" max="1" value=${claim.lapsed ? 1 : part} aria-label="Part of the lease that has passed"></meter>
    ${claim.lapsed ? `ended ${relative(claim.lease_until, now)}` : `${duration(left)} left`}</span>`;
};

export function Stuck() {
  useValue(session);
  const open = useOpenClaims();
  const [chosen, setChosen] = useState(new Set());
  const [deciding, setDeciding] = useState(null);
  const [bulk, setBulk] = useState(null);
  const [shown, setShown] = useState(ROWS);
  const claims = open.claims || [];
  const count = (wanted) => claims.filter((claim) => rank(claim) === wanted).length;
  const free = claims.filter(decidable);
  const picked = free.filter((claim) => chosen.has(claim.id));
  const toggle = (id) => setChosen((before) => {
    const next = new Set(before);
    if (!next.delete(id)) next.add(id);
    return next;
  });
  const decided = () => {
    setDeciding(null);
    setBulk(null);
    setChosen(new Set());
    open.reload();
  };
  const columns = [
    free.length > 0 && { name: 'Select', hideName: true, cell: (claim) => decidable(claim) && html`<input type="checkbox" checked=${chosen.has(claim.id)}
      aria-label=${`Select ${claim.id.slice(0, 12)}`} onChange=${() => toggle(claim.id)} />` },
    { name: 'State', cell: (claim) => html`<${Status} ...${claim} />` },
    { name: 'Id', cell: (claim) => html`<a href=${address('key', claim.id)}><${Id} id=${claim.id} /></a>` },
    { name: 'Scope', wide: true, cell: (claim) => html`<${Text} title=${claim.scope}>${claim.scope}<//>` },
    { name: 'Age', cell: (claim) => html`<${Moment} at=${claim.created_at} />` },
    { name: 'Lease', cell: (claim) => html`<${Lease} claim=${claim} />` },
    { name: 'Reason', wide: true, cell: (claim) => html`<bdi class="text lines" title=${claim.reason || ''}>${claim.reason || '–'}</bdi>` },
    free.length > 0 && { name: 'Decide', hideName: true, cell: (claim) => decidable(claim) && html`<button type="button" class="small"
      onClick=${() => setDeciding(claim)}>Decide …</button>` },
  ].filter(Boolean);
  return html`<h1>Stuck</h1>
    <p class="lead">Claims that are not settled. Parked ones wait for a person: nobody knows whether their work happened.</p>
    <${Card} class="stuck" title=${open.claims ? `${number(count(0))} parked, ${number(count(1))} with an ended lease, ${number(count(2))} running` : 'Open claims'}
      actions=${html`${free.length > 0 && html`
          <button type="button" class="small" onClick=${() => setChosen(picked.length === free.length ? new Set() : new Set(free.map((claim) => claim.id)))}>
            ${picked.length === free.length && free.length > 0 ? 'Select none' : `Select all ${number(free.length)}`}</button>
          <button type="button" class="small primary" disabled=${picked.length === 0} onClick=${() => setBulk(picked)}>Decide ${number(picked.length)} …</button>`}
        <button type="button" class="small" onClick=${open.reload}>Refresh</button>`}>
      ${open.error && html`<${Failure} error=${open.error} retry=${open.reload} />`}
      ${!open.claims && open.busy && html`<${Loading} />`}
      ${open.claims && claims.length > 0 && html`<${Table} caption="Open claims, parked first" columns=${columns} rows=${claims.slice(0, shown)} of=${(claim) => claim.id}
        link=${(claim) => address('key', claim.id)} />`}
      ${claims.length > shown && html`<p><button type="button" class="small" onClick=${() => setShown(shown + 4 * ROWS)}>Show more of ${number(claims.length)}</button></p>`}
      ${open.claims && claims.length === 0 && !open.busy && html`<${Empty} title="Nothing is stuck"
        command=${can('ledger') && `curl -s ${BASE}/v1/claims -H 'Content-Type: application/json'${tenantHeader()} -d '{"scope": "card.charge", "key": "order-18", "lease_seconds": 10}'`}>
        ${can('ledger') ? 'To see a claim here, make one and do not settle it:' : 'Claims that are running, were abandoned or are parked are shown here.'}<//>`}
      ${open.more && html`<p class="quiet" role="status">${open.busy ? 'Searching older claims …' : "Older claims were not searched yet."}
        ${!open.busy && html` <button type="button" class="small" onClick=${open.further}>Search further back</button>`}</p>`}
    <//>
    ${deciding && html`<${DecideDialog} claim=${deciding} onClose=${() => setDeciding(null)} onDecided=${decided} />`}
    ${bulk && html`<${BulkDialog} claims=${bulk} onClose=${() => setBulk(null)} onDecided=${decided} />`}`;
}
