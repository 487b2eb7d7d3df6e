// SPDX-License-Identifier: Apache-2.0
// Tour: what the demo shows, and where.
import { address } from './route.js';
import { Card, html } from './parts.js';

const STOPS = [
  ['overview', {}, 'Overview', 'Retries and double clicks arrive all the time. Each order is charged once; the other callers receive the stored answer (hits).'],
  ['keys', {}, 'An order is stuck', 'A customer asks about order-1042. Find that key: nobody knows whether it was paid out, and the reason says why. Decide: release, fail or succeed. If you release it, its next caller pays within seconds.'],
  ['stuck', {}, 'Stuck', 'All payouts that wait for a decision. Select several to decide them together.'],
  ['keys', {}, 'A changed request', 'Find order-1041. Its charge was sent again with another amount: a conflict, and nothing ran.'],
  ['keys', {}, 'A killed worker', 'Find order-1040. Its worker died with the claim, and another took over when the lease had ended: attempt 2.'],
  ['webhooks', {}, 'Webhooks', 'WhatsApp delivers batches twice, Stripe delivers again after failures of the receiver, and a forged delivery is refused.'],
  ['ledger', {}, 'Ledger and calls', 'Each event is sent twice and written once, in one transaction with its key.'],
  ['system', {}, 'System', 'The demo starts the cleanup of expired claims every 20 seconds; a server does it every hour. The audit trail lists your decisions.'],
];

export const Tour = () => html`<h1>Tour</h1>
  <${Card} title="What to look at">
    <ol class="tour">${STOPS.map(([screen, query, name, text]) => html`<li key=${name}><a class="strong" href=${address(screen, '', query)}>${name}</a><br />${text}</li>`)}</ol>
    <p class="quiet">The service behind the proxy (<code>POST /shop/orders</code> with an <code>Idempotency-Key</code>) fails once in seven orders. Retries with the same key create no second order.</p>
    <p class="quiet">Stop the demo with Ctrl-C. Nothing is left behind. Start your own server with <code>./semel serve</code>.</p><//>`;
