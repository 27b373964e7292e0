import * as E from '#fp-ts/Either';
import { decode, formatProblem, type Problem } from '../contract/codecs/problem.js';
import { type ControlsDependencies, controlsOf } from '../controls/controls.js';
import { shownTarget } from '../protocol/request.js';
import type { Answer, Row } from '../protocol/routes.js';
import { MadeTenant } from '../simulation/on-demand-tenant.js';
import { type ControlsView, controlsPage, fieldLabels } from './explorer/controls-page.js';
import { explorerPaths } from './paths.js';
import { postedText } from './posts.js';
import type { WebContext } from './web.js';

/** How many requests the page shows. */
const shownRequests = 50;

/** A number, or the text itself, for the message that it is none. */
const numberIn = (text: string): unknown => (Number.isNaN(Number(text)) ? text : Number(text));

/** The fields of the forms, and what their texts stand for. */
const fields = {
  operation: String,
  kind: String,
  code: numberIn,
  delay: numberIn,
  times: numberIn,
  every: numberIn,
  now: String,
  advance: String,
  running: (text: string) => text === 'true',
  from: String,
  ttl: String,
} as const;

/** What a form has posted, as the control takes it as JSON. An empty field is left out. */
const bodyOf = (posted: object): unknown =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, read]) => [name, postedText(posted, name).trim(), read] as const)
      .filter(([, text]) => text !== '')
      .map(([name, text, read]) => [name, read(text)]),
  );

const labels: ReadonlyMap<string, string> = new Map(Object.entries(fieldLabels));

/** A problem with a field of a form, by its label; with anything else, as programs get it. */
const formatForPage = (each: Problem): string => {
  const label = labels.get(each.path.join('/'));
  return label === undefined ? formatProblem(each) : `${label}: ${each.message}`;
};

/** The page of the controls: each form names one. */
export const controlsPageRows = (
  { responses }: Pick<WebContext, 'responses'>,
  dependencies: ControlsDependencies,
): readonly Row[] => {
  const { simulation, live } = dependencies;
  const controls = controlsOf(dependencies);
  const view = (): ControlsView => ({
    rules: simulation.faults.list(),
    clock: live?.clock.state() ?? null,
    tenants: live?.tenants.list() ?? [],
    requests: simulation.journal.entries({}, shownTarget).slice(-shownRequests).reverse(),
    made: null,
    message: null,
    posted: () => '',
  });
  const path = explorerPaths.controls;
  const show: Answer = (request) => responses.page(request, (context) => controlsPage(context, view()));
  const submit: Answer = (request, { posted }) => {
    const control = controls.find(({ id }) => id === postedText(posted, 'control'));
    const sent = { id: postedText(posted, 'id'), query: {}, mediaType: 'application/json' };
    return responses.outcome(
      request,
      control === undefined
        ? E.left({ _tag: 'ControlMissing', what: 'such control' } as const)
        : control.use({ ...sent, body: control.body && bodyOf(posted) }),
      ({ body }) => {
        const made = decode(MadeTenant, body === undefined ? null : JSON.parse(body.json));
        return E.isLeft(made)
          ? responses.redirectToOwn(path)
          : responses.page(request, (context) => controlsPage(context, { ...view(), made: made.right }));
      },
      (context, text, failure) => {
        const message =
          failure._tag === 'ControlInvalid' ? `${failure.problems.map(formatForPage).join('; ')}.` : text;
        return controlsPage(context, { ...view(), message, posted: (field) => postedText(posted, field) });
      },
    );
  };
  return [
    { method: 'GET', path, who: 'operators', answer: show },
    { method: 'POST', path, who: 'operators', posts: 'form', answer: submit },
  ];
};
