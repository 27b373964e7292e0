import type { ListedToken } from '../accounts/response-codecs.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';
import { tokenTime } from './token-table.js';

/** Asks whether to revoke an API token, which cannot be undone. */
export const revokePage = (context: PageContext, token: ListedToken): Html =>
  page(
    'Revoke this token?',
    context,
    html`<form class="card" method="post" action="/settings/api-tokens/${encodeURIComponent(token.id)}/revoke">
<h2><bdi>${token.name}</bdi></h2>
<p>It starts with <code>${token.prefix}…</code> and was ${
      token.lastUsedAt === null ? 'never used' : html`last used ${tokenTime(token.lastUsedAt)}`
    }.</p>
<p>Whatever uses this token stops working at once: its requests are answered 401. This cannot be undone.</p>
<p class="next"><button class="danger">Revoke token</button>
<a class="button quiet" href="/settings/api-tokens">Cancel</a></p>
</form>`,
    { section: 'tokens' },
  );
