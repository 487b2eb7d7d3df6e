// SPDX-License-Identifier: Apache-2.0
// System: versions, doctor, cleanup, audit trail and settings.
import { get, post, serverOptions } from './api.js';
import { address } from './route.js';
import { can, operates, session, toast } from './state.js';
import { number } from './text.js';
import { Card, Copy, Empty, Facts, Failure, Id, Loading, Moment, Table, Text, html, useLoad, useState, useValue } from './parts.js';

const About = () => {
  const { data, error, reload } = useLoad((abort) => get('/v1/system', {}, { abort }), []);
  return html`<${Card} title="Versions">
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && !error && html`<${Loading} />`}
    ${data && html`<${Facts} facts=${[
      ['Semel', data.version], ['Java', data.java], ['Database', data.database], ['Mode', data.mode],
      ['Started', html`<${Moment} at=${data.started_at} />`], ['Instance', html`<code class="whole">${data.instance}</code>`],
      ...Object.entries(data.caches).map(([tier, cache]) => [tier === 'process' ? 'Cache' : 'Shared cache', `${number(cache.hits)} hits, ${number(cache.misses)} misses`]),
    ]} />`}<//>`;
};

const Doctor = () => {
  const { data, error, loading, reload } = useLoad((abort) => get('/v1/doctor', {}, { abort }), []);
  return html`<${Card} title="Doctor" actions=${html`<button type="button" class="small" disabled=${loading} onClick=${reload}>Check again</button>`}>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && !error && html`<${Loading} />`}
    ${data && data.findings.length === 0 && html`<p class="allgood">No findings.</p>`}
    ${data && data.findings.length > 0 && html`<ul class="findings">${data.findings.map((finding) => html`<li key=${finding.check}>
      <p><span class=${`status ${finding.level === 'error' ? 'failed' : finding.level === 'warning' ? 'unknown' : 'in_progress'}`}>${finding.level}</span> <code>${finding.check}</code></p>
      <p>${finding.problem}</p><p class="quiet">Fix: <bdi>${finding.fix}</bdi></p></li>`)}</ul>`}<//>`;
};

const report = (counts) => [`${number(counts.claims)} claims deleted`, `${number(counts.released)} released`, `${number(counts.parked)} parked`, `${number(counts.history)} history entries`,
  ...Object.entries(counts.others).map(([name, count]) => `${number(count)} ${name.replaceAll('_', ' ')}`)].join(', ');

const Cleanup = () => {
  const { data, error, reload } = useLoad((abort) => get('/v1/cleanup', {}, { abort }), [], 15_000);
  const [busy, setBusy] = useState(false);
  const run = async (dryRun) => {
    setBusy(true);
    try {
      const done = await post('/v1/cleanup', dryRun ? { dry_run: true } : {});
      toast(done.due ? `A run would delete ${number(done.due.claims)} claims${Object.entries(done.due.others).map(([name, count]) => `, ${number(count)} ${name.replaceAll('_', ' ')}`).join('')}`
        : done.report ? `Cleanup: ${report(done.report)}` : 'The cleanup is running');
      reload();
    } catch (failure) {
      toast(failure.message, 'bad');
    }
    setBusy(false);
  };
  return html`<${Card} title="Cleanup" actions=${html`<button type="button" class="small" disabled=${busy} onClick=${() => run(true)}>Dry run</button>
      <button type="button" class="small" disabled=${busy} onClick=${() => run(false)}>Run now</button>`}>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && !error && html`<${Loading} />`}
    ${data && html`<${Facts} facts=${[
      ['Last run', data.last_run ? html`<${Moment} at=${data.last_run.started_at} />` : 'never'],
      data.last_run?.report && ['It did', report(data.last_run.report)],
      ['Waiting', `${number(data.backlog)}${data.backlog >= data.backlog_limit ? ' or more' : ''} expired`],
      ['Schedule', data.schedule.at ? `daily at ${data.schedule.at} ${data.schedule.time_zone || ''}` : `every ${number(Math.round(data.schedule.every_seconds / 60))} min`],
    ]} />`}<//>`;
};

const DECIDED = { released: 'Released', decided_failed: 'Failed', decided_succeeded: 'Succeeded', replayed: 'Replayed' };

const Audit = () => {
  const { organization } = useValue(session);
  const [cursors, setCursors] = useState(['']);
  const after = cursors[cursors.length - 1];
  const { data, error, reload } = useLoad((abort) => get('/v1/audit', { after, limit: 20 }, { abort }), [after, organization]);
  const columns = [
    { name: 'When', cell: (entry) => html`<${Moment} at=${entry.at} />` },
    { name: 'Decision', cell: (entry) => html`<span class=${`status ${entry.kind === 'decided_failed' ? 'failed' : 'succeeded'}`}>${DECIDED[entry.kind] || entry.kind}</span>` },
    { name: 'Claim', cell: (entry) => html`<a href=${address('key', entry.key_id)}><${Id} id=${entry.key_id} /></a>` },
    { name: 'Scope', wide: true, cell: (entry) => html`<${Text} title=${entry.scope}>${entry.scope}<//>` },
    { name: 'By', cell: (entry) => html`<${Text}>${entry.actor || '–'}<//>` },
    { name: 'Reason', wide: true, cell: (entry) => html`<${Text} title=${entry.reason || ''}>${entry.reason || '–'}<//>` },
    { name: 'Fence', numeric: true, cell: (entry) => entry.fence },
  ];
  return html`<${Card} title="Audit trail" actions=${html`<button type="button" class="small" onClick=${reload}>Refresh</button>`}>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && !error && html`<${Loading} />`}
    ${data && data.decisions.length > 0 && html`<${Table} caption="Decisions, newest first" columns=${columns} rows=${data.decisions} of=${(entry) => entry.id} />`}
    ${data && data.decisions.length === 0 && html`<${Empty} title="No decision yet" command=${`./semel keys list --status unknown${serverOptions()}`}>Operators decide parked claims. List them:<//>`}
    ${data && (cursors.length > 1 || data.more) && html`<nav class="pages" aria-label="Pages">
      <button type="button" disabled=${cursors.length === 1} onClick=${() => setCursors(cursors.slice(0, -1))}>← Newer</button>
      <button type="button" disabled=${!data.more} onClick=${() => setCursors([...cursors, data.next])}>Older →</button></nav>`}<//>`;
};

const Settings = () => {
  const { data, error, reload } = useLoad((abort) => get('/v1/settings', {}, { abort }), []);
  return html`<${Card} title="Settings in effect" actions=${data && html`<${Copy} text=${data.yaml} what="Settings" />`}>
    ${error && html`<${Failure} error=${error} retry=${reload} />`}
    ${!data && !error && html`<${Loading} />`}
    ${data && html`<p class="quiet">Without secrets, as <code>./semel serve --print-config</code> prints them.</p>
      <pre class="json tall" tabindex="0" role="region" aria-label="Settings">${data.yaml}</pre>`}<//>`;
};

export function System() {
  useValue(session);
  const operator = operates();
  return html`<h1>System</h1>
    <div class="columns even"><div>${can('system') && html`<${About} />`}</div>
      <div>${can('system') && operator && html`<${Doctor} />`}${can('cleanup') && operator && html`<${Cleanup} />`}
        ${!operator && html`<${Card} title="For operators"><p class="quiet">The doctor, the cleanup and the settings are shown to operators.</p><//>`}</div></div>
    <${Audit} />
    ${can('system') && operator && html`<${Settings} />`}`;
}
