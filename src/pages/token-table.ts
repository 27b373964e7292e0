import type { ListedToken } from '../accounts/own-account.js';
import { type Html, html } from './html.js';

/** Whether a token can be used, and if not, why. */
export type TokenState = 'active' | 'expired' | 'revoked';

export const tokenState = ({ revokedAt, expiresAt }: ListedToken, now: string): TokenState => {
  if (revokedAt !== null && revokedAt <= now) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
};

/**
 * The tokens of a user, those first that can be used: a table on wide screens, a card for each token on
 * narrow ones. The roles keep the table one for screen readers when it looks like cards.
 */
export const tokenTable = (tokens: readonly ListedToken[], now: string, isShared: boolean): Html => {
  const isActive = (token: ListedToken): boolean => tokenState(token, now) === 'active';
  const sorted = [...tokens.filter(isActive), ...tokens.filter((token) => !isActive(token))];
  return html`<table class="tokens" role="table" aria-labelledby="tokens">
<thead role="rowgroup"><tr role="row">${[
    'Name',
    'Starts with',
    'Created',
    'Last used',
    'Expires',
    'Status',
  ].map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${sorted.map((token) => row(token, now, isShared))}</tbody>
</table>`;
};

const row = (token: ListedToken, now: string, isShared: boolean): Html => {
  const state = tokenState(token, now);
  return html`<tr role="row" class="token${state === 'active' ? '' : ' over'}">
<th role="rowheader" scope="row"><bdi>${token.name}</bdi></th>
${cell('Starts with', html`<code>${token.prefix}…</code>`)}
${cell('Created', tokenTime(token.createdAt))}
${cell('Last used', token.lastUsedAt === null ? html`never` : tokenTime(token.lastUsedAt))}
${cell('Expires', token.expiresAt === null ? html`never` : tokenTime(token.expiresAt))}
${cell('Status', status(token, state, isShared))}
</tr>
`;
};

const cell = (name: string, value: Html): Html =>
  html`<td role="cell"><span class="label" aria-hidden="true">${name}</span><span class="value">${value}</span></td>`;

const status = (token: ListedToken, state: TokenState, isShared: boolean): Html => {
  if (state === 'revoked' && token.revokedAt !== null) return html`Revoked ${tokenTime(token.revokedAt)}`;
  if (state === 'expired') return html`Expired`;
  if (isShared) return html`Active`;
  return html`Active <a class="button danger small" href="${revokePath(token.id)}" aria-label="Revoke ${token.name}">Revoke</a>`;
};

/** The page that asks whether to revoke a token. */
const revokePath = (id: string): string => `/settings/api-tokens?revoke=${encodeURIComponent(id)}`;

/** A timestamp, displayed to the minute in UTC. */
export const tokenTime = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${timestamp.slice(0, 16).replace('T', ' ')} UTC</time>`;
