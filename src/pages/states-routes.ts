import * as E from '#fp-ts/Either';
import { queryValue, type ServiceRequest } from '../api/request.js';
import { JsonValue } from '../common/json.js';
import { listOf } from '../contract/codecs/combinators.js';
import { addRules, defaultTtl } from '../simulation/recipe.js';
import { type LiveData, refusalLines, type Simulation } from '../simulation/simulation.js';
import { explorerPaths } from './paths.js';
import { postedText } from './posts.js';
import type { Answer, PageRow } from './rows.js';
import type { WebContext } from './web.js';

/** Loads the states and their page, which most servers never show. */
const loadStates = async () => {
  const { statesOf } = await import('../simulation/states/index.js');
  return { states: statesOf(), ...(await import('./explorer/states-page.js')) };
};

/**
 * Where a browser may be sent in a state: a path of this server, or a page on another port of its host, which
 * gets the same cookies. Null: nowhere.
 */
const pageOnHost = ({ origin }: Pick<ServiceRequest, 'origin'>, text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname === new URL(origin).hostname
    ? url.href
    : null;
};

/** The pages of the states: a list, one of them, and what makes a tenant in it. */
export const statesRows = (
  { responses }: Pick<WebContext, 'responses'>,
  { faults }: Pick<Simulation, 'faults'>,
  { tenants }: Pick<LiveData, 'tenants'>,
): readonly PageRow[] => {
  const show: Answer = async (request) => {
    const { states, statesPage } = await loadStates();
    const parameter = (name: string): string => queryValue(request, name) ?? '';
    const state = states.find(({ id }) => id === parameter('state')) ?? null;
    const query = { q: parameter('q'), next: parameter('next') };
    return responses.page(request, (context) => statesPage(context, { states, query, state }));
  };
  const list: Answer = async (request) => {
    const { states } = await loadStates();
    const shown = states.map(({ seen: _, ...state }): unknown => state).filter(JsonValue.is);
    return responses.json(request, 200, listOf(JsonValue), shown);
  };
  const enter: Answer = async (request, { posted }) => {
    const [id, next] = [postedText(posted, 'state'), postedText(posted, 'next')];
    const to = responses.pathToReturnTo(next) ?? pageOnHost(request, next);
    const refuse = (lines: readonly string[]) =>
      responses.errorReply(request, { _tag: 'MalformedBody' }, `${lines.join('; ')}.`);
    if (to === null) return refuse([`${JSON.stringify(next)} is no page on this host`]);
    const made = await tenants.create({ state: id, ttl: defaultTtl }, addRules(faults));
    if (E.isLeft(made)) return refuse(refusalLines('state', ({ message }) => message)(made.left));
    const { states } = await loadStates();
    const signIn = states.find((state) => state.id === id)?.make.client?.signIn;
    return { status: 303, redirectTo: to, session: signIn === undefined ? made.right.session : null };
  };
  return [
    { method: 'GET', path: explorerPaths.states, who: 'operators', answer: show },
    { method: 'GET', path: explorerPaths.statesJson, who: 'operators', answer: list },
    { method: 'POST', path: explorerPaths.states, who: 'operators', posts: 'form', answer: enter },
  ];
};
