// SPDX-License-Identifier: Apache-2.0
// The parts that screens are made of. Everything is text: no part writes HTML.
import { Component, h } from './vendor-preact.js';
import { useCallback, useEffect, useId, useRef, useState } from './vendor-preact-hooks.js';
import { effect } from './vendor-signals-core.js';
import htm from './vendor-htm.js';
import { absolute, pretty, relative, shortId } from './text.js';
import { toast } from './state.js';

export const html = htm.bind(h);
export { useCallback, useEffect, useId, useRef, useState };

/** The value of a signal. The component is drawn again when it changes. */
export function useValue(signal) {
  const [, draw] = useState(0);
  const drawn = signal.value;
  useEffect(() => {
    let shown = drawn;
    return effect(() => {
      if (signal.value !== shown) {
        shown = signal.value;
        draw((count) => count + 1);
      }
    });
  }, [signal]);
  return drawn;
}

/** Draws again each second, for times that are shown relative to now. */
export function useNow(step = 1_000) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), step);
    return () => clearInterval(timer);
  }, [step]);
  return now;
}

/** Loads data, again whenever a dependency changes; every so many milliseconds if asked to. */
export function useLoad(load, dependencies, every = 0) {
  const [state, set] = useState({ data: null, error: null, loading: true });
  const [turn, again] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let timer = 0;
    const run = (first) => {
      if (!first && document.visibilityState === 'hidden') {
        timer = setTimeout(() => run(false), every);
        return;
      }
      if (first) set((before) => ({ ...before, loading: true }));
      load(abort.signal).then(
        (data) => !abort.signal.aborted && set({ data, error: null, loading: false }),
        (error) => !abort.signal.aborted && set((before) => ({ ...before, error, loading: false })),
      ).finally(() => {
        if (every > 0 && !abort.signal.aborted) timer = setTimeout(() => run(false), every);
      });
    };
    run(true);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [...dependencies, turn, every]);
  return { ...state, reload: useCallback(() => again((count) => count + 1), []) };
}

export const Moment = ({ at }) => {
  useNow(5_000);
  return at ? html`<time datetime=${at} title=${absolute(at)}>${relative(at)}</time>` : html`<span class="quiet">–</span>`;
};

const WORDS = { in_progress: 'In progress', succeeded: 'Succeeded', failed: 'Failed', retryable: 'Retryable', unknown: 'Parked' };

export const statusWord = (status, lapsed) => (lapsed ? 'Lease ended' : WORDS[status] || status);

export const Status = ({ status, lapsed }) => html`
  <span class=${`status ${lapsed ? 'lapsed' : status}`}>${statusWord(status, lapsed)}</span>`;

/** A text of a user: of any length and direction. */
export const Text = ({ children, title }) => html`<bdi class="text" title=${title || ''}>${children}</bdi>`;

export const Id = ({ id }) => html`<code class="id" title=${id}>${shortId(id)}</code>`;

export const Json = ({ value, label }) => html`
  <pre class="json" tabindex="0" role="region" aria-label=${label || 'JSON'}>${pretty(value)}</pre>`;

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast('The browser does not allow copying. Select the text instead.', 'bad');
  }
}

export const Copy = ({ text, what, label }) => html`
  <button type="button" class="small" title=${`Copy ${what}`} onClick=${() => copy(text, what)}>${label || 'Copy'}</button>`;

export const Command = ({ text, what }) => html`
  <div class="command"><code tabindex="0">${text}</code><${Copy} text=${text} what=${what || 'Command'} /></div>`;

export const Empty = ({ title, children, command }) => html`
  <div class="empty"><p class="strong">${title}</p>${children && html`<p>${children}</p>`}
    ${command && html`<${Command} text=${command} />`}</div>`;

export const Failure = ({ error, retry }) => html`
  <div class="notice bad" role="alert"><p>${error.message}</p>
    ${retry && html`<button type="button" class="small" onClick=${retry}>Try again</button>`}</div>`;

export const Loading = () => html`<p class="quiet loading" role="status">Loading …</p>`;

export const Card = ({ title, actions, children, class: extra }) => html`
  <section class=${`card ${extra || ''}`}>
    ${(title || actions) && html`<header><h2>${title}</h2><div class="actions">${actions}</div></header>`}
    ${children}
  </section>`;

export const Tile = ({ label, value, note, tone, href }) => {
  const content = html`<span class="label">${label}</span><span class=${`value ${tone || ''}`}>${value}</span>
    <span class="note">${note}</span>`;
  return href ? html`<a class="tile" href=${href}>${content}</a>` : html`<div class="tile">${content}</div>`;
};

export const Facts = ({ facts }) => html`
  <dl class="facts">${facts.filter(Boolean).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/**
 * A table that becomes cards on a phone. A column has a name, a cell, and may be numeric, or wide on a phone.
 */
export const Table = ({ columns, rows, of, caption, link }) => html`
  <div class="table" role="region" aria-label=${caption} tabindex="0">
    <table><caption class="hidden">${caption}</caption>
      <thead><tr>${columns.map((column) => html`<th scope="col" key=${column.name} class=${column.numeric ? 'numeric' : ''}>
        ${column.hideName ? html`<span class="hidden">${column.name}</span>` : column.name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${of(row)} class=${link ? 'linked' : ''}
          onClick=${link && ((event) => follow(event, link(row)))}>
        ${columns.map((column) => html`<td key=${column.name} data-name=${column.hideName ? '' : column.name}
            class=${column.numeric ? 'numeric' : column.wide ? 'wide' : ''}>${column.cell(row)}</td>`)}</tr>`)}</tbody>
    </table></div>`;

/** A click anywhere in a row follows its link, unless it was meant for something else or selected text. */
function follow(event, href) {
  if (event.target.closest('a, button, input, label') || String(getSelection()) !== '') return;
  location.href = href;
}

/** A dialog. The browser keeps the focus inside and closes it with Escape. */
export function Dialog({ title, onClose, children, wide }) {
  const dialog = useRef(null);
  const name = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () => before && before.isConnected && before.focus();
  }, []);
  return html`<dialog ref=${dialog} aria-labelledby=${name} class=${wide ? 'wide' : ''}
      onCancel=${(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick=${(event) => event.target === dialog.current && onClose()}>
    <div class="inside"><header><h2 id=${name}>${title}</h2>
      <button type="button" class="small plain" aria-label="Close" onClick=${onClose}>✕</button></header>
      ${children}</div></dialog>`;
}

export const Field = ({ label, hint, children }) => html`
  <label class="field"><span class="label">${label}</span>${children}${hint && html`<span class="hint">${hint}</span>`}</label>`;

/** Shows a message instead of an empty page if a screen fails. */
export class Guard extends Component {
  static getDerivedStateFromError(error) {
    return { error };
  }

  componentDidUpdate(before) {
    if (before.of !== this.props.of && this.state.error) this.setState({ error: null });
  }

  render({ children }, { error }) {
    if (!error) return children;
    return html`<div class="notice bad" role="alert"><p>This screen failed: ${String(error.message)}</p></div>`;
  }
}
