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
import { shownExchange } from '../simulation/controls/shown-exchange.js';
import { FaultRule } from '../simulation/fault-rules.js';
import { JournalFilter } from '../simulation/journal.js';
import { isPage } from '../simulation/known-names.js';
import { MadeTenant } from '../simulation/on-demand-tenant.js';
import { resetAll } from '../simulation/reset.js';
import { type ControlsView, controlsPage, nothingEntered } from './explorer/controls-page.js';
import { presets } from './explorer/presets.js';
import { textsOfRule } from './explorer/rule-sentence.js';
import { explorerPaths, queryString } from './paths.js';
import { postedText } from './posts.js';
import type { Answer, PageRow } from './rows.js';
import { simulatedLines } from './simulated-line.js';
import { statesRows } from './states-routes.js';
import type { WebContext } from './web.js';

/** How many requests the page shows, and how many tenants it offers. */
const shownRequests = 50;
const shownTenants = 50;

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
  then: (text: string) => ({ patch: jsonIn(text) }),
  off: (text: string) => text === 'true',
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
      .filter(([name]) => name !== 'id' || control.id === 'replaceFault' || !control.path.includes('{id}'))
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

/** Whether a request is one of the explorer, or of a page for its parts. */
const isOfExplorer = ({ url }: Readonly<{ url: string }>): boolean => {
  const [path = ''] = url.split('?');
  return isAsset(path) || /\/explore(?:\/|$)/.test(path);
};

const isAsset = (path: string): boolean => /\.(?:css|js|ico)$/.test(path);

/** What the page says after a control was used. */
const doneTexts: ReadonlyMap<string, string> = new Map([
  ['addFault', 'The rule was added.'],
  ['replaceFault', 'The rule was changed.'],
  ['removeFault', 'The rule was removed.'],
  ['clearFaults', 'All rules were removed.'],
  ['changeClock', 'The clock was changed.'],
  ['changeTenantClock', 'The clock of the tenant was changed.'],
  ['releaseClock', 'The clock is that of the machine.'],
  ['removeTenant', 'The tenant was removed.'],
  ['setCredentials', 'The credentials were changed.'],
  ['clearRequests', 'The journal was emptied.'],
]);

/** What a program would send: to which control, about what, and the body. */
type Asked = Readonly<{ control: string; id: string; body: unknown }>;

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
  /** The rule that the form begins with: the one to edit, or one that is about a request like another. */
  const ruleOf = (query: URLSearchParams): Partial<FaultRule> | null => {
    const edited = simulation.faults.list().find(({ id }) => id === query.get('edit'));
    if (edited !== undefined) return edited;
    const entry = simulation.journal.entries({}).find(({ number }) => String(number) === query.get('like'));
    if (entry === undefined) return null;
    const { operation, tenant, status, url } = entry;
    const parameters = Array.from(new URLSearchParams(url.split('?')[1])).filter(
      ([, value]) => value !== '…',
    );
    return {
      operation,
      tenant: tenant ?? undefined,
      query: Object.fromEntries(parameters),
      code: status >= 300 ? status : undefined,
    };
  };
  /** The page, with the part of the journal that its address asks for. */
  const view = ({ querystring }: Pick<ServiceRequest, 'querystring'>, email = ''): ControlsView => {
    const pages = simulation.names.pages() ?? [];
    const query = new URLSearchParams(querystring);
    const isOfFilter = ([name, value]: readonly [string, string]): boolean =>
      value !== '' && Object.hasOwn(JournalFilter.props, name);
    const entries = Object.fromEntries(Array.from(query).filter(isOfFilter));
    const filter = E.flatMap(simulation.names.filter)(decode(JournalFilter, entries));
    const { atFields, others } = placed(E.isLeft(filter) ? filter.left : []);
    const requests = E.isLeft(filter) ? [] : simulation.journal.entries(filter.right);
    const hasOwnRequests = query.get('own') === 'shown';
    const number = Number(query.get('request') ?? 0);
    const opened = simulation.journal.entries({}).find((each) => each.number === number);
    const begun = ruleOf(query);
    const texts = begun && textsOfRule(begun);
    const known = live === null ? [] : [...live.known(), ...live.signedUp()];
    return {
      known: known.slice(0, shownTenants).map(({ id, name }) => [id, name] as const),
      visitor: known.find((each) => each.email === email)?.id ?? '',
      hasOwnRequests,
      opened:
        opened === undefined
          ? null
          : { entry: opened, exchange: shownExchange(simulation.journal.exchange(number)) },
      done: doneTexts.get(query.get('done') ?? '') ?? null,
      edited: begun?.id ?? null,
      rules: simulation.faults.list(),
      operations: [...Object.keys(operations), ...pages.filter((name) => isPage(name) && !isAsset(name))],
      clock: live?.clock.state() ?? null,
      tenants: live?.tenants.list() ?? [],
      requests: requests
        .filter((each) => hasOwnRequests || !isOfExplorer(each))
        .slice(-shownRequests)
        .reverse(),
      filter: { value: (name) => query.get(name) ?? '', problems: atFields },
      made: null,
      message: others.length === 0 ? null : others.join(' '),
      posted:
        texts === null ? nothingEntered : { value: (name) => texts.get(name) ?? '', problems: new Map() },
    };
  };
  const path = explorerPaths.controls;
  const show: Answer = (request) =>
    responses.page(request, (context) => controlsPage(context, view(request, context.user?.email)));

  /** Ends all that is simulated, and leads back to the page that asked for it. */
  const reset = async (back: string): Promise<Reply> => {
    await resetAll(simulation, live);
    return responses.redirectBack(responses.pathToReturnTo(`${responses.basePath}${back}`), path);
  };

  /** What a form asks for; its buttons for what is most wanted, and the switch of a rule, stand for more. */
  const askedBy = (posted: object): Asked => {
    const [name, id] = [postedText(posted, 'control'), postedText(posted, 'id')];
    if (name === 'switchFault') {
      const found = simulation.faults.list().find((rule) => rule.id === id);
      const { id: _, matched: __, applied: ___, finding, ...rule } = found ?? {};
      return {
        control: 'replaceFault',
        id,
        body: { ...rule, id: finding, off: found?.off === true ? undefined : true },
      };
    }
    const preset = presets.find((each) => name === 'preset' && each.name === postedText(posted, 'preset'));
    if (preset !== undefined) {
      const { control, body } = preset;
      const of = postedText(posted, 'of');
      const isOwnClock = control === 'changeClock' && (live?.tenants.find(of) ?? null) !== null;
      const forTenant = control === 'addFault' && of !== '' ? { tenant: of } : {};
      return { control: isOwnClock ? 'changeTenantClock' : control, id: of, body: { ...body, ...forTenant } };
    }
    return { control: name, id: name === 'replaceFault' ? postedText(posted, 'rule') : id, body: undefined };
  };

  const submit: Answer = async (request, { posted }) => {
    if (postedText(posted, 'control') === 'reset') return reset(postedText(posted, 'back'));
    const asked = askedBy(posted);
    const control = controls.find(({ id }) => id === asked.control);
    const used =
      control === undefined
        ? E.left({ _tag: 'ControlMissing', what: 'such control' } as const)
        : await control.use({
            id: asked.id,
            query: {},
            body: control.body && (asked.body ?? bodyOf(posted, control)),
          });
    if (E.isRight(used)) {
      const { body } = used.right;
      const result: unknown = body === undefined ? null : JSON.parse(body.json);
      const made = decode(MadeTenant, result);
      if (E.isRight(made))
        return responses.page(request, (context) =>
          controlsPage(context, { ...view(request, context.user?.email), made: made.right }),
        );
      const rule = decode(FaultRule, result);
      const at = E.isRight(rule) ? rule.right.id : 'done';
      const to = `${responses.basePath}${path}${queryString({ done: asked.control })}#${at}`;
      return { status: 303, redirectTo: to };
    }
    const failure = used.left;
    const refused = responseTo(controlFailures, failure);
    if (responses.prefersJson(request)) return refused;
    const isInvalid = failure._tag === 'ControlInvalid';
    const { atFields, others } = placed(isInvalid ? failure.problems : []);
    const reasons = isInvalid ? others : [`${controlFailures.messageOf(failure)}.`];
    const message = reasons.length === 0 ? null : reasons.join(' ');
    const entered = { value: (field: string) => postedText(posted, field), problems: atFields };
    const context = await responses.pageContext(request);
    const page = controlsPage(context, {
      ...view(request, context.user?.email),
      message,
      edited: asked.control === 'replaceFault' ? asked.id : null,
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
