import { defaultLimit } from '../../contract/page-and-limit.js';
import { type Html, html } from '../html.js';
import { type ListPlace, placeLink } from './pager.js';
import { text } from './values.js';

/** Repositories to choose from; more than these cannot be chosen from a list. */
const maxChoices = 200;

/** A repository that a list can be narrowed to. */
export type RepoChoice = Readonly<{ id: string; name: string }>;

/**
 * A filter with few values, as links: the address then has exactly the parameters of the API, where a form
 * would add empty ones, which the API refuses.
 */
export const choiceFilter = (
  place: ListPlace,
  parameter: string,
  values: readonly string[],
): Html => html`<p class="filter"><span class="key" id="filter-${parameter}">${parameter}</span>
<span role="group" class="choices" aria-labelledby="filter-${parameter}">${[undefined, ...values].map(
  (value) => {
    const name = value ?? 'any';
    return place.filters[parameter] === value
      ? html`<a href="${placeLink(place, { filters: { [parameter]: value } })}" aria-current="true">${name}</a>
`
      : html`<a href="${placeLink(place, { filters: { [parameter]: value } })}">${name}</a>
`;
  },
)}</span></p>`;

/** The filter `repoId`: a form that is only sent with a repository, and a link to all of them. */
export const repoFilter = (place: ListPlace, repos: readonly RepoChoice[]): Html => {
  const { repoId, ...others } = place.filters;
  const { limit } = place.info;
  const hidden = Object.entries({
    limit: limit === defaultLimit ? undefined : String(limit),
    ...others,
  }).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  const all = html`<a href="${placeLink(place, { filters: { repoId: undefined } })}">all repositories</a>`;
  return html`<form class="filter" method="get" action="${place.path}"><label class="key" for="repoId">repoId</label>
<span class="choices">${hidden}${repos.length > maxChoices ? typed(repoId) : chosen(repoId, repos)}
<button class="quiet">Show</button>
${repoId === undefined ? null : all}</span></form>`;
};

const typed = (repoId: string | undefined): Html =>
  html`<input id="repoId" name="repoId" value="${repoId}" required autocomplete="off" placeholder="Id of a repository">`;

const chosen = (repoId: string | undefined, repos: readonly RepoChoice[]): Html => {
  const isKnown = repoId === undefined || repos.some(({ id }) => id === repoId);
  const choices = isKnown ? repos : [{ id: repoId, name: 'unknown' }, ...repos];
  // Without a repository the parameter must be absent, so the first option cannot be sent.
  const none = repoId === undefined ? html`<option value="" selected>any</option>` : null;
  return html`<select id="repoId" name="repoId" required>${none}${choices.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === repoId ? html` selected` : null}>${cut(name)} (${cut(id)})</option>`,
  )}</select>`;
};

/** Options cannot be wrapped. */
const cut = (name: string): string => {
  const characters = Array.from(name.slice(0, 200));
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : characters.join('');
};

/** The repository that a list is narrowed to, by name. */
export const narrowedTo = (repoId: string | undefined, name: string | null): Html | null =>
  repoId === undefined ? null : html` of ${text(name ?? repoId)}`;
