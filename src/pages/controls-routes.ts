import * as E from '#fp-ts/Either';
import { responseTo } from '../api/failures.js';
import type { ServiceRequest } from '../api/request.js';
import type { Reply } from '../api/response.js';
import { parseJson } from '../common/json.js';
import { decode, type Problem } from '../contract/codecs/problem.js';
import { operations } from '../contract/operations.js';
import type { AnyControl } from '../simulation/controls/control.js';
import {
  type ControlsDependencies,
  type ControlsSettings,
  controlsOf,
} from '../simulation/controls/controls.js';
import { controlFailures } from '../simulation/controls/failures.js';
import { JournalFilter } from '../simulation/journal.js';
import { isPage } from '../simulation/known-names.js';
import { MadeTenant } from '../simulation/on-demand-tenant.js';
import { resetAll } from '../simulation/reset.js';
import { type ControlsView, controlsPage, nothingEntered } from './explorer/controls-page.js';
import { explorerPaths } from './paths.js';
import { postedText } from './posts.js';
import type { Answer, PageRow } from './rows.js';
import { simulatedLines } from './simulated-line.js';
import { statesRows } from './states-routes.js';
import type { WebContext } from './web.js';

/** How many requests the page shows. */
const shownRequests = 50;

/** A number, or the text itself, for the message that it is none. */
const numberIn = (text: string): unknown => (Number.isNaN(Number(text)) ? text : Number(text));

/** JSON, or the text itself: what is no JSON is for the message, or a text to send. */
const jsonIn = (text: string): unknown => parseJson(text) ?? (text === 'null' ? null : text);

/** Lines such as `Name: value`; the text itself if one of them is none. `empty`: what no value stands for. */
const linesIn = (text: string, empty: string | null = ''): unknown => {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const isLine = (line: string): boolean => line.indexOf(':') > 0;
  const pairs = lines.map((line) => [
    line.split(':', 1).join().trim(),
    line.slice(line.indexOf(':') + 1).trim() || empty,
  ]);
  return lines.every(isLine) ? Object.fromEntries(pairs) : text;
};

/** The fields of the forms, and what their texts stand for. */
const fields = {
  operation: String,
  tenant: String,
  id: String,
  query: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  requestHeaders: (text: string) => linesIn(text),
  kind: String,
  code: numberIn,
  retryAfter: numberIn,
  delay: numberIn,
  jitter: numberIn,
  bytesPerSecond: numberIn,
  headers: (text: string) => linesIn(text, null),
  body: jsonIn,
  alter: jsonIn,
  times: numberIn,
  after: numberIn,
  every: numberIn,
  probability: numberIn,
  now: String,
  advance: String,
  running: (text: string) => text === 'true',
  from: String,
  ttl: String,
  session: String,
  token: String,
} as const;

/** Whether a form has a field with this name: one that posts, or the filter of the journal. */
const isField = (name: string): boolean =>
  Object.hasOwn(fields, name) || Object.hasOwn(JournalFilter.props, name);

/** What a form has posted, as the control takes it as JSON. An empty field is left out. */
const bodyOf = (posted: object, control: AnyControl): unknown =>
  Object.fromEntries(
    Object.entries(fields)
      // The id of what a form is about is part of the path.
      .filter(([name]) => name !== 'id' || !control.path.includes('{id}'))
      .map(([name, read]) => [name, postedText(posted, name).trim(), read] as const)
      .filter(([, text]) => text !== '')
      .map(([name, text, read]) => [name, read(text)]),
  );

/**
 * What is wrong with a form: at the fields that it is about, and the rest. Problems of a rule that concern
 * several fields begin with one of their names.
 */
const placed = (problems: readonly Problem[]) => {
  const atFields = new Map<string, string>();
  const others: string[] = [];
  for (const { path, message } of problems) {
    const [, first = '', rest = ''] = /^\/?(\w+)(?:: )?(.*)$/s.exec(message) ?? [];
    const name = path[0] ?? first;
    const isOwn = path.length > 0 || message.startsWith(`${first}: `);
    const deeper = path.length > 1 ? `${path.slice(1).join('/')}: ` : '';
    const text = `${deeper}${path.length === 0 && isOwn ? rest : message}.`;
    if (!isField(name)) others.push(path.length === 0 ? text : `${path.join('/')}: ${text}`);
    else atFields.set(name, [...(atFields.has(name) ? [atFields.get(name)] : []), text].join(' '));
  }
  return { atFields, others };
};

/** Whether the journal of the page leaves a request out: those of pages for their parts, and for changes. */
const isOfPages = ({ url }: Readonly<{ url: string }>): boolean => {
  const [path = ''] = url.split('?');
  return isAsset(path) || path.endsWith(explorerPaths.changes);
};

const isAsset = (path: string): boolean => /\.(?:css|js|ico)$/.test(path);

/** What the pages show of the mock controls: a page of their own, and a line on each page. */
export const controlsPages = ({ simulation = null, live = null, basePath }: ControlsSettings) =>
  simulation && {
    controlsPage: (web: WebContext) => controlsPageRows(web, { simulation, live, basePath }),
    simulatedLine: simulatedLines(simulation, live),
  };

/** The page of the controls: each form names one. */
const controlsPageRows = (
  web: Pick<WebContext, 'responses'>,
  dependencies: ControlsDependencies,
): readonly PageRow[] => {
  const { responses } = web;
  const { simulation, live } = dependencies;
  const controls = controlsOf(dependencies);
  /** The page, with the part of the journal that its address asks for. */
  const view = ({ querystring }: Pick<ServiceRequest, 'querystring'>): ControlsView => {
    const pages = simulation.names.pages() ?? [];
    const query = new URLSearchParams(querystring);
    const entries = Object.fromEntries(Array.from(query).filter(([, value]) => value !== ''));
    const filter = E.flatMap(simulation.names.filter)(decode(JournalFilter, entries));
    const { atFields, others } = placed(E.isLeft(filter) ? filter.left : []);
    const requests = E.isLeft(filter) ? [] : simulation.journal.entries(filter.right);
    return {
      rules: simulation.faults.list(),
      operations: [...Object.keys(operations), ...pages.filter((name) => isPage(name) && !isAsset(name))],
      clock: live?.clock.state() ?? null,
      tenants: live?.tenants.list() ?? [],
      requests: requests
        .filter((each) => !isOfPages(each))
        .slice(-shownRequests)
        .reverse(),
      filter: { value: (name) => query.get(name) ?? '', problems: atFields },
      made: null,
      message: others.length === 0 ? null : others.join(' '),
      posted: nothingEntered,
    };
  };
  const path = explorerPaths.controls;
  const show: Answer = (request) =>
    responses.page(request, (context) => controlsPage(context, view(request)));

  /** Ends all that is simulated, and leads back to the page that asked for it. */
  const reset = async (back: string): Promise<Reply> => {
    await resetAll(simulation, live);
    const to = responses.pathToReturnTo(`${responses.basePath}${back}`);
    return to === null ? responses.redirectToOwn(path) : { status: 303, redirectTo: to };
  };

  const submit: Answer = async (request, { posted }) => {
    const name = postedText(posted, 'control');
    if (name === 'reset') return reset(postedText(posted, 'back'));
    const control = controls.find(({ id }) => id === name);
    const sent = { id: postedText(posted, 'id'), query: {} };
    const used =
      control === undefined
        ? E.left({ _tag: 'ControlMissing', what: 'such control' } as const)
        : await control.use({ ...sent, body: control.body && bodyOf(posted, control) });
    if (E.isRight(used)) {
      const { body } = used.right;
      const made = decode(MadeTenant, body === undefined ? null : JSON.parse(body.json));
      return E.isLeft(made)
        ? responses.redirectToOwn(path)
        : responses.page(request, (context) => controlsPage(context, { ...view(request), made: made.right }));
    }
    const failure = used.left;
    const refused = responseTo(controlFailures, failure);
    if (responses.prefersJson(request)) return refused;
    const isInvalid = failure._tag === 'ControlInvalid';
    const { atFields, others } = placed(isInvalid ? failure.problems : []);
    const [first] = isInvalid ? others : [`${controlFailures.messageOf(failure)}.`];
    const message =
      first === undefined ? 'Please correct the highlighted fields.' : [first, ...others.slice(1)].join(' ');
    const entered = { value: (field: string) => postedText(posted, field), problems: atFields };
    const page = controlsPage(await responses.pageContext(request), {
      ...view(request),
      message,
      posted: entered,
    });
    return { ...refused, body: responses.pageOf(page) };
  };
  return [
    { method: 'GET', path, who: 'operators', answer: show },
    { method: 'POST', path, who: 'operators', posts: 'form', answer: submit },
    ...(live === null ? [] : statesRows(web, simulation, live)),
  ];
};
