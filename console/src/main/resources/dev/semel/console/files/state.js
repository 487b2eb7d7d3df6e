// SPDX-License-Identifier: Apache-2.0
// What all screens share. The token is in memory only: a reload asks for it again.
import { signal } from './vendor-signals-core.js';

export const session = signal({ token: '', organization: '', me: null, asks: '', problem: '' });
export const toasts = signal([]);
export const paused = signal(false);
export const stats = signal(null);
export const connected = signal(true);

let toastNumber = 0;

export function toast(message, kind = 'good') {
  const id = ++toastNumber;
  toasts.value = [...toasts.value, { id, message, kind }].slice(-4);
  setTimeout(() => dismiss(id), kind === 'bad' ? 12_000 : 5_000);
}

export function dismiss(id) {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

const THEMES = ['auto', 'light', 'dark'];
export const theme = signal(stored());

function stored() {
  try {
    const kept = localStorage.getItem('semel-theme');
    return THEMES.includes(kept) ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

export function nextTheme() {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
  try {
    localStorage.setItem('semel-theme', theme.value);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

export const can = (feature) => session.value.me !== null && session.value.me.features.includes(feature);
export const operates = () => session.value.me !== null && session.value.me.operator;
