import type { ListedToken } from '../accounts/own-account.js';
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
<p>It starts with <code>${token.prefix}…</code> and ${
      token.lastUsedAt === null ? 'has never been used' : html`was last used ${tokenTime(token.lastUsedAt)}`
    }.</p>
<p>Programs that use this token get a 401 from then on. This cannot be undone.</p>
<p class="next"><button class="danger">Revoke token</button>
<a class="button quiet" href="/settings/api-tokens">Cancel</a></p>
</form>`,
    { section: 'tokens' },
  );
