// SPDX-License-Identifier: Apache-2.0
// The public API, below the parent of the console's own path. Requests carry the token of the session, if there is one.
import { parse, quoted } from './text.js';
import { can, connected, paused, session, stats } from './state.js';

/** Without a name and password of the address: they belong in no command, and fetch refuses them. */
export const BASE = new URL('..', location.origin + location.pathname).href.replace(/\/$/, '');

/** What ./semel needs to ask this server for this tenant. */
export function serverOptions() {
  const { organization } = session.value;
  const usual = location.host === '127.0.0.1:8080' && location.protocol === 'http:' && BASE === location.origin;
  return `${usual ? '' : ` --url ${quoted(BASE)}`}${organization ? ` --tenant ${quoted(organization)}` : ''}`;
}

export class ApiError extends Error {
  /** @param asks for 401: "token", or "application" if the host has a sign-in of its own */
  constructor(status, problem, asks = 'token') {
    super(problem.detail || problem.title || `The server answered with ${status}`);
    this.status = status;
    this.problem = problem;
    this.asks = asks;
  }

  is(type) {
    return String(this.problem.type || '').endsWith(type);
  }
}

/** Spring Security's token against forged requests, if the application sets the cookie. */
function forgeryToken() {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith('XSRF-TOKEN='));
  return found ? decodeURIComponent(found.slice('XSRF-TOKEN='.length)) : '';
}

function headers(more, { token, organization } = session.value) {
  const all = { Accept: 'application/json', ...more };
  if (token) all.Authorization = `Bearer ${token}`;
  // Header values are bytes, and the server reads them as UTF-8.
  if (organization) all['X-Organization-Id'] = String.fromCharCode(...new TextEncoder().encode(organization));
  return all;
}

async function send(method, path, { query, body, abort } = {}) {
  const given = Object.entries(query || {}).filter(([, value]) => value !== '' && value !== undefined);
  const search = new URLSearchParams(given).toString();
  const options = { method, signal: abort, cache: 'no-store', credentials: 'same-origin', redirect: 'manual' };
  if (body === undefined) {
    options.headers = headers();
  } else {
    options.headers = headers({ 'Content-Type': 'application/json' });
    const forgery = forgeryToken();
    if (forgery) options.headers['X-XSRF-TOKEN'] = forgery;
    options.body = typeof body === 'string' ? body : JSON.stringify(body);
  }
  return fetch(`${BASE}${path}${search ? `?${search}` : ''}`, options);
}

async function answer(response, exact) {
  // An application redirects to its sign-in. A server's redirect is never followed.
  if (response.type === 'opaqueredirect') throw new ApiError(401, { detail: 'The application asks you to sign in' }, 'application');
  const text = await response.text();
  let json = {};
  try {
    json = parse(text, exact && response.ok);
  } catch {
    json = { detail: `The server answered with ${response.status} and no JSON` };
    if (response.ok) throw new ApiError(response.status, json);
  }
  if (!response.ok) {
    throw new ApiError(response.status, json, /^Bearer\b/i.test(response.headers.get('WWW-Authenticate') || '') ? 'token' : 'application');
  }
  return json;
}

async function call(method, path, options = {}) {
  let response;
  try {
    response = await send(method, path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, { detail: 'The server does not answer. Is it running?' });
  }
  try {
    return await answer(response, options.exact);
  } catch (error) {
    endSession(error);
    throw error;
  }
}

/** Signs out if the server does not know the user any more. Nothing that was shown stays for the next user. */
function endSession(error) {
  if (error.status !== 401 || !session.value.me) return;
  session.value = { token: '', organization: '', me: null, asks: error.asks,
    problem: error.asks === 'token' ? 'The session has ended: the token is not accepted any more.' : 'The session has ended.' };
  forgetStats();
}

/** Reads, and tries again if the server is busy for a moment. */
export async function get(path, query, options = {}) {
  for (let tries = 1; ; tries++) {
    try {
      return await call('GET', path, { query, ...options });
    } catch (error) {
      if (error.status !== 503 || tries === 3) throw error;
      await delay(700 * tries, options.abort);
    }
  }
}

export const post = (path, body, options) => call('POST', path, { body, ...options });

/** Health answers 503 with the same document. */
export async function health(abort) {
  const response = await send('GET', '/health', { abort });
  if (response.status !== 503) return answer(response);
  const json = await response.json();
  if (!json.checks) throw new ApiError(response.status, json);
  return json;
}

/** Finds out who the user is, and what to ask for if that is not known. */
export async function signIn(token, organization) {
  // A browser cannot send others, and would report that as a failed connection.
  if (!/^[ -~]*$/.test(token)) {
    session.value = { token: '', organization: '', me: null, asks: 'token', problem: 'A token has only ASCII characters. Copy it again.' };
    return false;
  }
  session.value = { ...session.value, token, organization };
  try {
    const me = await call('GET', '/v1/whoami');
    session.value = { token, organization, me, asks: '', problem: '' };
    return true;
  } catch (error) {
    const asks = error.status === 400 || error.status === 403 ? 'organization' : error.status === 401 ? error.asks : 'server';
    session.value = { token: asks === 'organization' ? token : '', organization: '', me: null, asks,
      problem: token || organization || asks === 'server' ? error.message : '' };
    return false;
  }
}

/** Acts for another tenant, if the user may. Otherwise nothing changes, and the error says why. */
export async function switchTenant(organization) {
  const { token } = session.value;
  const response = await fetch(`${BASE}/v1/whoami`, { headers: headers({}, { token, organization }), cache: 'no-store', credentials: 'same-origin', redirect: 'manual' });
  const me = await answer(response);
  session.value = { ...session.value, organization, me, problem: '' };
  forgetStats();
}

// The statistics: streamed if the host can, otherwise asked for. They run only while a screen shows them.

let watchers = 0;
let stop = null;

export function watchStats() {
  watchers++;
  restart();
  return () => {
    watchers--;
    restart();
  };
}

export function restart() {
  // A pause begins after the first numbers, so that there is something to look at.
  const wanted = watchers > 0 && (!paused.value || stats.value === null) && document.visibilityState === 'visible' && session.value.me !== null;
  if (wanted && stop === null) {
    const abort = new AbortController();
    stop = () => abort.abort();
    follow(abort.signal);
  } else if (!wanted && stop !== null) {
    stop();
    stop = null;
  }
}

document.addEventListener('visibilitychange', restart);

/** Starts again, for another tenant. */
export function forgetStats() {
  stats.value = null;
  if (stop !== null) {
    stop();
    stop = null;
  }
  restart();
}

async function follow(abort) {
  let pause = 1_000;
  while (!abort.aborted) {
    try {
      if (!can('stream')) {
        show(await get('/v1/stats', {}, { abort }), abort);
        pause = 2_000;
      } else if (!await stream(abort, () => {
        pause = 1_000;
      })) {
        show(await get('/v1/stats', {}, { abort }), abort);
        pause = 5_000;
      }
    } catch (error) {
      if (abort.aborted) return;
      connected.value = false;
      pause = Math.min(15_000, pause * 2);
    }
    await delay(pause, abort);
  }
}

function show(next, abort) {
  if (abort.aborted) return;
  connected.value = true;
  stats.value = { ...next, at: Date.now() };
  if (paused.value) restart();
}

/** The server sends an event each second. After such a silence, in milliseconds, the connection is taken for broken. */
const SILENCE = 10_000;

/** Shows events until the stream ends. Returns false if the server refuses one, because too many are open. */
async function stream(abort, progress) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE);
  try {
    const response = await fetch(`${BASE}/v1/stream`, { headers: headers({ Accept: 'text/event-stream' }),
      signal: AbortSignal.any([abort, silence.signal]), cache: 'no-store', credentials: 'same-origin', redirect: 'manual' });
    if (response.status === 503 || response.status === 429) return false;
    if (!response.ok) await answer(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return true;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE);
      waiting += value;
      let end = waiting.indexOf('\n\n');
      while (end >= 0) {
        const event = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        if (event.startsWith('data: ')) {
          show(JSON.parse(event.slice('data: '.length)), abort);
          progress();
        }
        end = waiting.indexOf('\n\n');
      }
    }
  } catch (error) {
    if (!abort.aborted) endSession(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function delay(ms, abort) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    abort?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
