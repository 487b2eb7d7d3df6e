// SPDX-License-Identifier: Apache-2.0
// Overview: what happens now, what needs attention, and where.
import { get, health, restart, watchStats } from './api.js';
import { address } from './route.js';
import { can, connected, paused, session, stats } from './state.js';
import { absolute, compact, millis, number, percent, relative } from './text.js';
import { StackedChart } from './chart.js';
import { useOpenClaims } from './stuck.js';
import { LIBRARY, example } from './keys.js';
import { Card, Empty, Loading, Table, Text, Tile, html, useEffect, useLoad, useNow, useValue } from './parts.js';

const LINES = [['Miss', '--miss'], ['Hit', '--hit'], ['In progress', '--waiting'], ['Conflict', '--conflict'], ['Failed', '--failed']];
const PLACES = [1, 0, 2, 3, 4]; // The server's order is hit, miss, in progress, conflict, failed.

export function togglePause() {
  paused.value = !paused.value;
  restart();
}

function series(shown) {
  const { step_seconds: step, last_step_ms: lastMs, points } = shown.rates;
  const start = Math.floor(shown.at / 1_000 - lastMs / 1_000);
  const times = points.map((point, place) => start - (points.length - 1 - place) * step);
  const lines = LINES.map(([name, color], line) => {
    const counts = points.map((point) => point[PLACES[line]]);
    const [before = 0, last] = counts.slice(-2);
    return { name, color, counts,
      // The last point is not over yet: its rate is that of the time it has lasted.
      values: counts.map((count, place) => count / (place === counts.length - 1 ? Math.max(1, lastMs / 1_000) : step)),
      // A point that has just begun says little, so the one before it counts too.
      now: (before + last) / (step + lastMs / 1_000) };
  });
  return { times, lines };
}

const ALERTS = {
  take_over_rate: ['Take-overs', 'Instances crash, or work takes longer than its lease.'],
  hit_rate: ['Few duplicates are recognized', 'Callers make a new key for each retry, or the TTL is too short.'],
  failure_rate: ['Work fails', 'A downstream service fails.'],
};

const Alerts = ({ data }) => {
  if (!data) return html`<${Loading} />`;
  if (data.alerts.length === 0) return html`<p class="allgood">No alert fires.</p>`;
  const rules = [...new Set(data.alerts.map((alert) => alert.alert))];
  return html`<ul class="alerts">${rules.map((rule) => {
    const [name, cause] = ALERTS[rule] || [rule, ''];
    return html`<li key=${rule}><p><span class="status failed">${name}</span></p><p class="quiet">${cause}</p>
      <ul>${data.alerts.filter((alert) => alert.alert === rule).map((alert) => html`<li key=${alert.scope}>
        <a href=${address('keys', '', { scope: alert.scope })}><${Text} title=${alert.scope}>${alert.scope}<//></a>
        <span>${(100 * alert.value).toFixed(1)} % <span class="quiet">(${alert.fires} ${(100 * alert.threshold).toFixed(0)} %)</span></span></li>`)}</ul></li>`;
  })}</ul>`;
};

const Health = () => {
  const { data, error } = useLoad((abort) => health(abort), [], 10_000);
  const { data: system } = useLoad((abort) => get('/v1/system', {}, { abort }), [], 10_000);
  if (error) return html`<p class="bad">The server does not answer.</p>`;
  if (!data) return html`<${Loading} />`;
  return html`<ul class="health">${Object.entries(data.checks).map(([name, state]) => html`<li key=${name}>
      <span class=${`dot ${state}`} aria-hidden="true"></span>${name === 'database' ? 'Database' : name === 'redis' ? 'Redis' : name}: ${state}</li>`)}
    ${system && Object.entries(system.caches).map(([tier, cache]) => html`<li key=${tier}><span class="dot up" aria-hidden="true"></span>
      ${tier === 'process' ? 'Cache' : 'Shared cache'}: ${cache.hits + cache.misses === 0 ? 'not used yet' : `${percent(cache.hits, cache.hits + cache.misses)} of look-ups hit`}</li>`)}</ul>`;
};

const scopeColumns = [
  { name: 'Scope', wide: true, cell: (row) => html`<a href=${address('keys', '', { scope: row.scope })}><${Text} title=${row.scope}>${row.scope}<//></a>` },
  { name: 'Calls', numeric: true, cell: (row) => number(row.hits + row.misses) },
  { name: 'Hit rate', numeric: true, cell: (row) => percent(row.hits, row.hits + row.misses) },
  { name: 'Failed', numeric: true, cell: (row) => number(row.failures) },
  { name: 'p50', numeric: true, cell: (row) => millis(row.run_time_ms.p50) },
  { name: 'p99', numeric: true, cell: (row) => millis(row.run_time_ms.p99) },
];

const providerColumns = [
  { name: 'Provider', wide: true, cell: (row) => html`<a href=${address('webhooks', '', { provider: row.provider })}><${Text}>${row.provider}<//></a>` },
  { name: 'Received', numeric: true, cell: (row) => number(row.received) },
  { name: 'Duplicates', numeric: true, cell: (row) => number(row.duplicates) },
  { name: 'Failed', numeric: true, cell: (row) => number(row.failed + row.refused + row.invalid) },
];

const top = (rows, size) => [...rows].sort((a, b) => size(b) - size(a)).slice(0, 8);

export function Overview() {
  const shown = useValue(stats);
  const isPaused = useValue(paused);
  const isConnected = useValue(connected);
  const { organization } = useValue(session);
  useEffect(watchStats, []);
  useNow(5_000);
  const open = useOpenClaims(isPaused ? 0 : 10_000);
  const { data: alerts } = useLoad((abort) => get('/v1/alerts', {}, { abort }), [organization], isPaused ? 0 : 5_000);
  if (!shown) {
    return html`<h1>Overview</h1>${isConnected ? html`<${Loading} />` : html`<p class="notice bad" role="alert">The server does not send its numbers. The console tries again …</p>`}`;
  }
  const { total, today } = shown;
  const calls = total.hits + total.misses;
  const quiet = calls === 0 && shown.rates.points.every((point) => point.every((count) => count === 0));
  const claims = open.claims || [];
  const many = (count) => `${compact(count)}${open.more ? '+' : ''}`;
  const parked = claims.filter((claim) => claim.status === 'unknown').length;
  const stale = claims.filter((claim) => claim.lapsed).length;
  const minutes = Math.round(shown.window_seconds / 60);
  return html`
    <div class="heading"><h1>Overview</h1>
      <span class=${`live ${isPaused ? 'paused' : isConnected ? '' : 'lost'}`} role="status">${isPaused ? `Paused ${relative(new Date(shown.at).toISOString())}` : isConnected ? 'Live' : 'Connecting …'}</span>
      <button type="button" class="small" aria-pressed=${isPaused} onClick=${togglePause}>${isPaused ? 'Resume' : 'Pause'}</button></div>
    <div class="tiles">
      <${Tile} label="Hit rate" value=${percent(total.hits, calls)} note=${`${compact(calls)} ${calls === 1 ? 'call' : 'calls'} in ${minutes} min`} />
      <${Tile} label="Duplicates prevented" value=${compact(today.duplicates_prevented)} note=${html`<span title=${absolute(today.since)}>${today.since.slice(11, 16) === '00:00' ? 'today (UTC)' : `since ${today.since.slice(11, 16)} UTC`}</span>`} />
      <${Tile} label="Run time p50" value=${millis(total.run_time_ms.p50)} note=${`p99 ${millis(total.run_time_ms.p99)}`} />
      <${Tile} label="Active claims" value=${open.claims ? many(claims.length - parked - stale) : '…'} note="work is running" href=${address('stuck')} />
      <${Tile} label="Lease ended" value=${open.claims ? many(stale) : '…'} note="owner did not finish" tone=${stale ? 'warn' : ''} href=${address('stuck')} />
      <${Tile} label="Parked" value=${open.claims ? many(parked) : '…'} note=${parked ? 'wait for a decision' : 'nothing to decide'} tone=${parked ? 'warn' : ''} href=${address('stuck')} />
    </div>
    <${Card} title="Calls">
      ${quiet ? html`<${Empty} title="No calls in the last minutes" command=${example()}>${can('ledger') ? 'Send one, then the same again:' : LIBRARY}<//>`
        : html`<${StackedChart} ...${series(shown)} label="Calls by outcome, the last ten minutes" unit="per second" step=${`in ${shown.rates.step_seconds} s`} />`}<//>
    <div class="columns">
      <${Card} title="Top scopes" actions=${html`<a href=${address('keys')}>All keys</a>`}>
        ${shown.scopes.length === 0 ? html`<p class="quiet">No scope was used in the last ${minutes} minutes.</p>`
          : html`<${Table} caption="Scopes with the most calls" columns=${scopeColumns} rows=${top(shown.scopes, (row) => row.hits + row.misses)} of=${(row) => row.scope} />`}<//>
      <div>
        <${Card} title="Alerts"><${Alerts} data=${alerts} /><//>
        ${can('health') && html`<${Card} title="Health"><${Health} /><//>`}
        ${can('webhooks') && html`<${Card} title="Top providers" actions=${html`<a href=${address('webhooks')}>Webhooks</a>`}>
          ${shown.webhooks.length === 0 ? html`<p class="quiet">No webhook was received since the start.</p>`
            : html`<${Table} caption="Providers with the most webhooks" columns=${providerColumns} rows=${top(shown.webhooks, (row) => row.received)} of=${(row) => row.provider} />`}<//>`}
      </div>
    </div>
    <p class="quiet">Counts of this instance (${shown.instance.slice(0, 8)}) and of the tenant <bdi>${session.value.me.tenant}</bdi>.</p>`;
}
