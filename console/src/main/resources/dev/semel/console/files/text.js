// SPDX-License-Identifier: Apache-2.0
// Numbers, times and JSON as text. Nothing here touches the page.

const NUMBER = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value) => NUMBER.format(value);

export const compact = (value) => (value < 10_000 ? NUMBER.format(value) : COMPACT.format(value));

export const percent = (part, whole) => (whole === 0 ? '–' : `${(100 * part / whole).toFixed(part === whole ? 0 : 1)} %`);

export function rate(value) {
  return value >= 100 ? NUMBER.format(Math.round(value)) : value.toFixed(value >= 10 || value === 0 ? 0 : 1);
}

export function millis(value) {
  if (value === 0) return '–';
  if (value < 1) return '<1 ms';
  if (value < 1_000) return `${Math.round(value)} ms`;
  return duration(value);
}

/** A length of time, in its two largest units. */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}

/** A moment as people say it: "5 min ago", "in 2 h". */
export function relative(iso, now = Date.now()) {
  const difference = now - Date.parse(iso);
  if (Number.isNaN(difference)) return String(iso);
  const size = Math.abs(difference);
  if (size < 2_000) return 'now';
  const text = size < 60_000 ? `${Math.round(size / 1_000)} s`
    : size < 3_600_000 ? `${Math.floor(size / 60_000)} min`
    : size < 172_800_000 ? `${Math.floor(size / 3_600_000)} h`
    : `${Math.floor(size / 86_400_000)} days`;
  return difference > 0 ? `${text} ago` : `in ${text}`;
}

export function absolute(iso) {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? String(iso)
    : `${moment.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })} (${iso})`;
}

export function bytes(count) {
  if (count < 1_024) return `${count} B`;
  return count < 1_048_576 ? `${(count / 1_024).toFixed(1)} KiB` : `${(count / 1_048_576).toFixed(1)} MiB`;
}

export const shortId = (id) => id.slice(0, 12);

/** A number as the server wrote it: JavaScript would round large ones and drop ".0". */
class ExactNumber {
  constructor(source) {
    this.source = source;
  }
}

/** Parses JSON. With exact numbers, pretty() prints each as it was. */
export function parse(text, exact) {
  return exact
    ? JSON.parse(text, (name, value, context) => typeof value === 'number' && context && context.source !== undefined
        && String(value) !== context.source ? new ExactNumber(context.source) : value)
    : JSON.parse(text);
}

/** JSON in lines, for reading. */
export function pretty(value, indent = '') {
  if (value instanceof ExactNumber) return value.source;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map((item) => inner + pretty(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.keys(value);
  return members.length === 0 ? '{}'
    : `{\n${members.map((name) => `${inner}${JSON.stringify(name)}: ${pretty(value[name], inner)}`).join(',\n')}\n${indent}}`;
}

/** An argument of a shell command. */
export const quoted = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;
