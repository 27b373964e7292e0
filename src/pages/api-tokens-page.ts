import type { ListedToken, MintedToken } from '../accounts/own-account.js';
import { copyScriptPath } from './copy-script.js';
import { errorAlert, formField } from './form-elements.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';
import { tokenTable } from './token-table.js';

/** What the page of API tokens shows. */
export type ApiTokensView = Readonly<{
  tokens: readonly ListedToken[];
  /** The current time, as a timestamp that is comparable with those of the tokens. */
  now: string;
  /** The token that was just minted; this is the only time it is shown. */
  minted: Pick<MintedToken, 'name' | 'token'> | null;
  /** The name that was entered, if minting failed. */
  name: string;
  message: string | null;
  /** Whether the account is shared, so that no visitor may mint or revoke its tokens. */
  isShared: boolean;
}>;

/** The settings page on which users mint, list and revoke API tokens. */
export const apiTokensPage = (
  context: PageContext,
  { tokens, now, minted, name, message, isShared }: ApiTokensView,
): Html =>
  page(
    'API tokens',
    context,
    html`${errorAlert(message)}
${minted === null ? null : mintedToken(minted)}
${isShared ? sharedNotice : mintForm(name)}
<h2 id="tokens">Your tokens</h2>
${tokens.length === 0 ? html`<p>You have no tokens yet.</p>` : tokenTable(tokens, now, isShared)}`,
    {
      section: 'tokens',
      isMedium: true,
      ...(minted === null ? {} : { head: html`<script src="${copyScriptPath}" defer></script>` }),
    },
  );

const sharedNotice = html`<p>This is a shared demo account: visitors cannot mint or revoke its tokens.
<a href="/signup">Sign up</a> for an account of your own.</p>`;

const mintForm = (
  name: string,
): Html => html`<form class="card mint" method="post" action="/settings/api-tokens">
<h2>New token</h2>
${formField({
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  value: name,
  hint: 'What you will use the token for.',
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
</form>`;

const mintedToken = ({
  name,
  token,
}: Pick<MintedToken, 'name' | 'token'>): Html => html`<section class="card minted" aria-labelledby="minted">
<h2 id="minted">Your new token, “<bdi>${name}</bdi>”</h2>
<p>Copy the token now. It will not be shown again.</p>
<div class="row"><code id="token">${token}</code>
<button type="button" class="quiet" id="copy" hidden>Copy</button></div>
<p class="hint" id="copied" role="status"></p>
<p class="hint">Send it as <code>Authorization: Bearer …</code>
when you request a single finding or the list of pull requests.</p>
</section>`;
