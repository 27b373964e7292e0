import type { ListedToken, MintedToken } from '../accounts/response-codecs.js';
import { alert, field } from './form-parts.js';
import { type Html, html } from './html.js';
import { type Frame, page } from './layout.js';

/** What the page of API tokens shows. */
export type ApiTokens = Readonly<{
  tokens: readonly ListedToken[];
  /** The present moment, in the form of the dates it is compared with. */
  now: string;
  /** The token that was minted just now, to be shown this once. */
  minted: MintedToken | null;
  /** The name that was typed, where minting failed. */
  name: string;
  message: string | null;
}>;

/** The settings page of API tokens: mint, list, revoke. */
export const apiTokensPage = (frame: Frame, { tokens, now, minted, name, message }: ApiTokens): Html =>
  page(
    'API tokens',
    frame,
    html`${alert(message)}
${minted === null ? null : shownOnce(minted)}
<form class="card" method="post" action="/settings/api-tokens">
<h2>New token</h2>
${field({
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  value: name,
  hint: 'What it is for, so that you know it again.',
})}
<div class="field">
<label for="expiresInDays">Expires</label>
<select id="expiresInDays" name="expiresInDays">
<option value="7">after 7 days</option>
<option value="30">after 30 days</option>
<option value="90" selected>after 90 days</option>
<option value="365">after a year</option>
<option value="">never</option>
</select>
</div>
<button>Mint token</button>
</form>
<h2>Your tokens</h2>
${tokens.length === 0 ? html`<p>None yet.</p>` : tokens.map((token) => listed(token, now))}`,
  );

const shownOnce = ({
  name,
  token,
}: MintedToken): Html => html`<section class="card minted" aria-labelledby="minted">
<h2 id="minted">Your new token, “${name}”</h2>
<p>Copy it now: it is not shown again.</p>
<p><code id="token">${token}</code></p>
<p class="hint">Send it as <code>Authorization: Bearer …</code> with requests for one finding or for pull requests.</p>
</section>`;

const listed = (token: ListedToken, now: string): Html => html`<article class="card token">
<h3>${token.name}</h3>
<dl>
<div><dt>Begins with</dt><dd><code>${token.prefix}…</code></dd></div>
<div><dt>Created</dt><dd>${moment(token.createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${token.lastUsedAt === null ? 'never' : moment(token.lastUsedAt)}</dd></div>
<div><dt>Expires</dt><dd>${token.expiresAt === null ? 'never' : moment(token.expiresAt)}</dd></div>
</dl>
${standing(token, now)}
</article>`;

const standing = (token: ListedToken, now: string): Html => {
  if (token.revokedAt !== null && token.revokedAt <= now) {
    return html`<p class="over">Revoked ${moment(token.revokedAt)}</p>`;
  }
  if (token.expiresAt !== null && token.expiresAt <= now) return html`<p class="over">Expired</p>`;
  return html`<form method="post" action="/settings/api-tokens/${encodeURIComponent(token.id)}/revoke">
<button class="danger" aria-label="Revoke ${token.name}">Revoke</button>
</form>`;
};

/** A moment to the minute, in UTC, as people read it; exactly for machines. */
const moment = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${timestamp.slice(0, 16).replace('T', ' ')} UTC</time>`;
