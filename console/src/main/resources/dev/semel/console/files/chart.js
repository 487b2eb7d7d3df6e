// SPDX-License-Identifier: Apache-2.0
// A stacked chart of rates. The same numbers are in a table, for people who cannot see it.
import uPlot from './vendor-uplot.js';
import { rate } from './text.js';
import { theme } from './state.js';
import { html, useEffect, useRef, useState, useValue } from './parts.js';

const HEIGHT = 220;
/** In seconds, so that the last bar is not cut. */
const HALF_BAR = 3;
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Each line's sum with those below it, top first, as they are drawn. */
function stacked(times, lines) {
  const sums = lines.map(() => new Array(times.length));
  for (let x = 0; x < times.length; x++) {
    let sum = 0;
    for (let line = 0; line < lines.length; line++) {
      sum += lines[line].values[x];
      sums[line][x] = sum;
    }
  }
  return [times, ...sums.reverse()];
}

function options(lines, width, onCursor) {
  const axis = { stroke: () => color('--quiet'), grid: { stroke: () => color('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui' };
  return {
    width,
    height: HEIGHT,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: true, range: (plot, low, high) => [low - HALF_BAR, high + HALF_BAR] }, y: { range: (plot, low, high) => [0, Math.max(1, high * 1.1)] } },
    axes: [
      { ...axis, grid: { show: false }, space: 80, size: 28, values: (plot, ticks) => ticks.map((tick) => new Date(tick * 1_000).toTimeString().slice(0, 5)) },
      { ...axis, size: 44, space: 40, values: (plot, ticks) => ticks.map((tick) => (Number.isInteger(tick) || tick < 1 ? String(tick) : rate(tick))) },
    ],
    series: [{}, ...[...lines].reverse().map((line) => ({
      label: line.name,
      width: 0,
      fill: () => color(line.color),
      paths: uPlot.paths.bars({ size: [0.86, 14], align: 0 }),
      points: { show: false },
    }))],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)] },
  };
}

/** @param lines each has a name, a color, values to draw, its value now and counts for the table; the first is at the bottom */
export function StackedChart({ times, lines, label, unit, step }) {
  const place = useRef(null);
  const plot = useRef(null);
  const shown = useValue(theme);
  const [at, setAt] = useState(null);
  const [asTable, setAsTable] = useState(false);
  const data = stacked(times, lines);
  useEffect(() => {
    if (asTable) return undefined;
    const created = new uPlot(options(lines, place.current.clientWidth, setAt), data, place.current);
    plot.current = created;
    const resized = new ResizeObserver(() => created.setSize({ width: place.current.clientWidth, height: HEIGHT }));
    resized.observe(place.current);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => created.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      resized.disconnect();
      created.destroy();
      plot.current = null;
    };
  }, [shown, asTable]);
  useEffect(() => plot.current && plot.current.setData(data), [times, lines]);
  const pointed = at !== null && at < times.length;
  return html`<figure class="chart">
    <figcaption><ul class="legend">${lines.map((line) => html`<li key=${line.name}><span class=${`swatch ${line.color.slice(2)}`} aria-hidden="true"></span>
        ${line.name} <span class="strong">${rate(pointed ? line.values[at] : line.now)}</span></li>`)}
        <li class="quiet">${unit}, ${pointed ? new Date(times[at] * 1_000).toTimeString().slice(0, 8) : 'now'}</li></ul>
      <button type="button" class="small plain" aria-pressed=${asTable} onClick=${() => setAsTable(!asTable)}>${asTable ? 'Show chart' : 'Show table'}</button></figcaption>
    ${asTable ? html`<div class="table short" tabindex="0" role="region" aria-label=${label}><table><caption class="hidden">${label}</caption>
        <thead><tr><th scope="col">Time</th>${lines.map((line) => html`<th scope="col" class="numeric" key=${line.name}>${line.name} ${step}</th>`)}</tr></thead>
        <tbody>${times.map((time, x) => html`<tr key=${time}><td data-name="Time">${new Date(time * 1_000).toTimeString().slice(0, 8)}</td>
          ${lines.map((line) => html`<td key=${line.name} class="numeric" data-name=${line.name}>${line.counts[x]}</td>`)}</tr>`).reverse()}</tbody></table></div>`
      : html`<div class="plot" ref=${place} role="img" aria-label=${`${label}. Now: ${lines.map((line) => `${line.name} ${rate(line.now)}`).join(', ')}`}></div>`}
  </figure>`;
}
