// SPDX-License-Identifier: Apache-2.0
// The console: navigation, sign-in, keyboard, and the screen that the address names.
import { h, render } from './vendor-preact.js';
import { effect, signal } from './vendor-signals-core.js';
import { forgetStats, restart, signIn, switchTenant } from './api.js';
import { address, go, route } from './route.js';
import { can, dismiss, nextTheme, operates, session, theme, toast, toasts } from './state.js';
import { Dialog, Field, Guard, html, useEffect, useState, useValue } from './parts.js';
import { Overview, togglePause } from './overview.js';
import { Keys } from './keys.js';
import { Key } from './key.js';
import { Stuck } from './stuck.js';
import { Webhooks } from './webhooks.js';
import { Records } from './records.js';
import { System } from './system.js';
import { Tour } from './tour.js';

const SCREENS = [
  { id: 'overview', name: 'Overview', key: 'o', show: Overview, needs: 'stats' },
  { id: 'keys', name: 'Keys', key: 'k', show: Keys, needs: 'keys', also: ['key'] },
  { id: 'stuck', name: 'Stuck', key: 's', show: Stuck, needs: 'keys' },
  { id: 'webhooks', name: 'Webhooks', key: 'w', show: Webhooks, needs: 'webhooks' },
  { id: 'ledger', name: 'Ledger and calls', key: 'l', show: Records, needs: 'ledger', also: ['calls'] },
  { id: 'system', name: 'System', key: 'y', show: System, needs: 'keys' },
  { id: 'tour', name: 'Tour', key: 't', show: Tour, needs: 'demo' },
];
const SHOWN = new Map([...SCREENS.map((screen) => [screen.id, screen.show]), ['key', Key], ['calls', Records]]);

const isIn = (screen, current) => screen.id === current || (screen.also || []).includes(current);

const Navigation = ({ current }) => html`<nav class="main" aria-label="Screens"><ul>
  ${SCREENS.filter((screen) => can(screen.needs)).map((screen) => html`<li key=${screen.id}>
    <a href=${address(screen.id)} aria-current=${isIn(screen, current) ? 'page' : undefined} title=${`g ${screen.key}`}>${screen.name}</a></li>`)}</ul></nav>`;

function Tenant({ me, organization }) {
  const [typed, setTyped] = useState(organization || me.tenant);
  useEffect(() => setTyped(organization || me.tenant), [organization, me.tenant]);
  if (!me.chooses_tenant && !organization) {
    return html`<p class="who">Tenant <bdi class="strong">${me.tenant}</bdi></p>`;
  }
  const change = async () => {
    const wanted = typed.trim();
    if (wanted === '' || wanted === me.tenant) return;
    try {
      await switchTenant(wanted);
    } catch (error) {
      toast(error.message, 'bad');
      setTyped(organization || me.tenant);
    }
  };
  return html`<form class="tenant" onSubmit=${(event) => {
    event.preventDefault();
    change();
  }}><${Field} label="Tenant"><input value=${typed} autocomplete="off" spellcheck=${false} aria-label="Tenant (X-Organization-Id)" onInput=${(event) => setTyped(event.target.value)} onChange=${change} /><//></form>`;
}

const THEMES = { auto: 'Auto', light: 'Light', dark: 'Dark' };

function Frame() {
  const { screen } = useValue(route);
  const { me, organization, token } = useValue(session);
  const shown = useValue(theme);
  const Screen = SHOWN.get(screen);
  const name = SCREENS.find((one) => isIn(one, screen))?.name || 'Not found';
  useEffect(() => {
    // On a phone, the navigation is wider than the window.
    document.querySelector('nav.main [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
    document.title = `${name} – Semel`;
    document.getElementById('main')?.scrollTo?.(0, 0);
  }, [name]);
  return html`
    <a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      document.getElementById('main').focus();
    }}>Skip to content</a>
    <header class="side">
      <a class="brand" href=${address('overview')}><img src="icon.svg" alt="" width="24" height="24" />Semel</a>
      <${Navigation} current=${screen} />
      <div class="foot">
        <${Tenant} me=${me} organization=${organization} />
        <p class="who"><bdi>${me.actor}</bdi> · ${operates() ? 'operator' : 'viewer'}</p>
        <div class="buttons">
          <button type="button" class="small plain" onClick=${nextTheme} title="Theme (t)" aria-label=${`Theme: ${THEMES[shown]}`}>◐ ${THEMES[shown]}</button>
          <button type="button" class="small plain" onClick=${showHelp} title="Help (?)" aria-label="Help">?</button>
          ${token && html`<button type="button" class="small plain" onClick=${() => {
            session.value = { token: '', organization: '', me: null, asks: 'token', problem: '' };
            forgetStats();
          }}>Sign out</button>`}
        </div>
      </div>
    </header>
    <main id="main" tabindex="-1">${can('demo') && html`<p class="ribbon" role="note"><span class="strong">Demo.</span> Made-up traffic on a temporary database. <a href=${address('tour')}>Take the tour</a></p>`}<${Guard} of=${`${screen} ${me.tenant}`}>
      ${Screen ? html`<${Screen} key=${`${screen} ${me.tenant}`} />` : html`<h1>Not found</h1><p>There is no screen with this address. <a href=${address('overview')}>Overview</a></p>`}<//></main>`;
}

/** What the user is asked for. A host with a login page of its own signs in on a reload. */
const TITLES = { organization: 'Choose a tenant', server: 'No connection', application: 'Signed out' };

function SignIn() {
  const { asks, problem, token: known } = useValue(session);
  const [token, setToken] = useState('');
  const [organization, setOrganization] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    await signIn(asks === 'organization' ? known : token.trim(), organization.trim());
    setToken('');
    setBusy(false);
  };
  return html`<main id="main" class="signin"><div class="card">
    <p class="brand">${asks !== 'application' && html`<img src="icon.svg" alt="" width="32" height="32" />`}Semel</p>
    <h1>${TITLES[asks] || 'Sign in'}</h1>
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${asks === 'server' ? html`<button type="button" class="primary" onClick=${() => signIn('', '')}>Try again</button>`
      : asks === 'application' ? html`<p>This console is part of an application. Sign in there, then load this page again.</p>
        <button type="button" class="primary" onClick=${() => location.reload()}>Load again</button>` : html`
      <form onSubmit=${submit}>
        ${asks === 'token' && html`<${Field} label="API token" hint="It stays in this page’s memory. A reload asks for it again.">
          <input name="token" type="password" required autofocus autocomplete="off" spellcheck=${false} value=${token} onInput=${(event) => setToken(event.target.value)} /><//>`}
        <${Field} label=${asks === 'organization' ? 'Tenant' : 'Tenant (optional)'} hint="Required by tokens with several tenants.">
          <input name="organization" required=${asks === 'organization'} autocomplete="off" spellcheck=${false} value=${organization} onInput=${(event) => setOrganization(event.target.value)} /><//>
        <button type="submit" class="primary" disabled=${busy}>Sign in</button>
        ${asks === 'organization' && known && html`<button type="button" class="plain" onClick=${() => {
          session.value = { token: '', organization: '', me: null, asks: 'token', problem: '' };
        }}>Use another token</button>`}
      </form>
      ${asks === 'token' && html`<p class="quiet">Create one: <code>./semel token create --tenant acme --actor ann --role operator</code>. It prints the line that the server’s <code>semel.yml</code> needs.</p>`}`}
  </div></main>`;
}

const SHORTCUTS = [['/', 'find a key'], ...SCREENS.map((screen) => [`g ${screen.key}`, screen.name]), ['p', 'pause or resume the live numbers'], ['t', 'light, dark or automatic'], ['?', 'this help'], ['Esc', 'close a dialog']];

const Help = ({ onClose }) => html`<${Dialog} title="Keyboard" onClose=${onClose}>
  <dl class="shortcuts">${SHORTCUTS.filter(([keys]) => !keys.startsWith('g ') || can(SCREENS.find((screen) => `g ${screen.key}` === keys).needs))
    .map(([keys, what]) => html`<div key=${keys}><dt>${keys.split(' ').map((key) => html`<kbd key=${key}>${key}</kbd>`)}</dt><dd>${what}</dd></div>`)}</dl>
  <p class="quiet">Times are relative; point at one to see it exactly. Addresses keep the filters, never a key.</p><//>`;

const Toasts = () => html`<div class="toasts" role="status" aria-live="polite">${useValue(toasts).map((one) => html`
  <div key=${one.id} class=${`toast ${one.kind}`}><bdi>${one.message}</bdi><button type="button" class="small plain" aria-label="Dismiss" onClick=${() => dismiss(one.id)}>✕</button></div>`)}</div>`;

function focusSearch() {
  go('keys');
  requestAnimationFrame(function focus(time, tries = 0) {
    const search = document.getElementById('search');
    if (search) search.focus();
    else if (tries < 20) requestAnimationFrame((next) => focus(next, tries + 1));
  });
}

const help = signal(false);

function showHelp() {
  help.value = true;
}

let waitsForScreen = 0;

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !session.value.me || event.target.closest('input, select, textarea, dialog')) return;
  if (Date.now() - waitsForScreen < 1_500) {
    waitsForScreen = 0;
    const screen = SCREENS.find((one) => one.key === event.key && can(one.needs));
    if (screen) go(screen.id);
    return;
  }
  const action = { g: () => {
    waitsForScreen = Date.now();
  }, '/': focusSearch, '?': showHelp, t: nextTheme, p: togglePause }[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}

function Console() {
  const { me, asks } = useValue(session);
  const helps = useValue(help);
  if (!me) return asks ? h(SignIn) : html`<p class="quiet starting" role="status">Loading …</p>`;
  return html`<${Frame} />${helps && html`<${Help} onClose=${() => {
    help.value = false;
  }} />`}<${Toasts} />`;
}

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
effect(() => {
  if (session.value.me) queueMicrotask(restart);
});

document.addEventListener('keydown', pressed);
signIn('', '').finally(() => render(h(Console), document.getElementById('console')));
