// SPDX-License-Identifier: Apache-2.0
// The address: #/screen/id?filter=value. Filters are in it, so that a view can be kept and sent to a colleague. Raw keys never are.
import { signal } from './vendor-signals-core.js';

function read() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { screen: parts[0] || 'overview', id: parts[1] || '', query: Object.fromEntries(new URLSearchParams(query)) };
}

export const route = signal(read());

addEventListener('hashchange', () => {
  route.value = read();
});

export function address(screen, id = '', query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null);
  const search = new URLSearchParams(given).toString();
  return `#/${screen}${id ? `/${encodeURIComponent(id)}` : ''}${search ? `?${search}` : ''}`;
}

export function go(screen, id, query) {
  location.hash = address(screen, id, query);
}

/** The addresses that were opened with "Older", so that the entry before them in the history is the newer page. */
const opened = new Set();

export function goOlder(screen, query) {
  opened.add(address(screen, '', query));
  go(screen, '', query);
}

/** Back to the newer page, or to the first one if this page was opened by its address. */
export function goNewer(screen, first) {
  if (opened.has(location.hash)) history.back();
  else go(screen, '', first);
}
