import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Row } from '../../api/call.js';
import type { ServiceRequest } from '../../api/request.js';
import { plainRow } from '../../api/routes.js';
import { described, listOf, optional } from '../../contract/codecs/combinators.js';
import { problem } from '../../contract/codecs/problem.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { Count } from '../../contract/codecs/text-and-numbers.js';
import { Duration } from '../../contract/codecs/timestamp.js';
import { FaultRule, type FaultRules, NewFaultRule } from '../fault-rules.js';
import { JournalEntry, JournalFilter, nextRequest } from '../journal.js';
import { type KnownNames, tenantNames, unknownTenant } from '../known-names.js';
import { MadeTenant, OnDemandTenant } from '../on-demand-tenant.js';
import { MergePatch, patchOf } from '../patches.js';
import { controlsRoot } from '../paths.js';
import { addRules, CredentialStates, defaultTtl, Recipe } from '../recipe.js';
import { resetAll } from '../reset.js';
import { ClockChange, type ClockControl, ClockState } from '../simulated-clock.js';
import type { ChangeRefused, LiveData, Simulation } from '../simulation.js';
import type { SimulationSettings } from '../simulation-layers.js';
import { type AnyControl, control, invalid } from './control.js';
import type { ControlFailure } from './failures.js';
import { JournalExchange, shownExchange } from './shown-exchange.js';

const missing = (what: string): ControlFailure => ({ _tag: 'ControlMissing', what });

/** Why a change was refused; `what`: what there is none of, if that is the reason. */
const refusal = (what: string) =>
  E.mapLeft((refused: ChangeRefused) =>
    refused._tag === 'InvalidChange'
      ? invalid(refused.problems)
      : missing(`such ${what}: ${refused.expected}`),
  );

/** A query that may name a tenant. */
const OfTenant = new StrictObject(
  { tenant: described(optional(t.string), `Only those of this tenant: ${tenantNames}.`) },
  'query',
);

/** Does something for the user id of the tenant that a query names, or else for all. */
const forTenant =
  ({ withTenantId }: KnownNames) =>
  <A>(
    query: t.TypeOf<typeof OfTenant>,
    use: (userId: string | undefined) => A,
  ): E.Either<ControlFailure, A> => {
    const named = withTenantId(query);
    return E.isLeft(named)
      ? E.left(invalid([problem(['tenant'], named.left)]))
      : E.right(use(named.right.tenant));
  };

const refusedRule = E.mapLeft((lines: readonly string[]) => invalid(lines.map((each) => problem([], each))));

const faultControls = (faults: FaultRules, ofTenant: ReturnType<typeof forTenant>): readonly AnyControl[] => [
  control('Faults', 'POST', '/faults', {
    id: 'addFault',
    summary: 'Add a rule by which requests fail.',
    description:
      'Which requests, what happens to them, and how often. Of several rules, the one that was added last decides; delays add up.',
    body: NewFaultRule,
    success: { status: 201, description: 'The rule, with its id.', codec: FaultRule },
    handle: ({ body }) => refusedRule(faults.add(body)),
  }),
  control('Faults', 'GET', '/faults', {
    id: 'listFaults',
    summary: 'List the rules, including the rules of the command line.',
    query: OfTenant,
    success: { status: 200, description: 'The rules, the oldest first.', codec: listOf(FaultRule) },
    handle: ({ query }) => ofTenant(query, faults.list),
  }),
  control('Faults', 'DELETE', '/faults', {
    id: 'clearFaults',
    summary: 'Remove all rules.',
    query: OfTenant,
    success: { status: 204, description: 'There are no such rules any more.', codec: null },
    handle: ({ query }) => ofTenant(query, faults.clear),
  }),
  control('Faults', 'PUT', '/faults/{id}', {
    id: 'replaceFault',
    summary: 'Change a rule, or switch it off or on.',
    description: 'It keeps its place, and goes on counting, unless it has had its turn.',
    body: NewFaultRule,
    success: { status: 200, description: 'The rule as it is now.', codec: FaultRule },
    handle: ({ id, body }) => {
      const replaced = faults.replace(id, body);
      return replaced === null ? E.left(missing(`rule ${id}`)) : refusedRule(replaced);
    },
  }),
  control('Faults', 'DELETE', '/faults/{id}', {
    id: 'removeFault',
    summary: 'Remove a rule.',
    query: OfTenant,
    success: { status: 204, description: 'The rule is gone.', codec: null },
    handle: ({ id, query }) =>
      E.flatMap((isRemoved) => (isRemoved ? E.right(undefined) : E.left(missing(`rule ${id}`))))(
        ofTenant(query, (tenant) => faults.remove(id, tenant)),
      ),
  }),
];

/** The controls of a clock; `of` names whose it is, and `path` begins theirs. */
const clockControls = (
  tag: string,
  { path, id, of }: Readonly<{ path: string; id: string; of: string }>,
  find: (tenant: string) => E.Either<ControlFailure, ClockControl>,
): readonly AnyControl[] => {
  type Use<Body> = (clock: ClockControl, body: Body) => ReturnType<ClockControl['change']>;
  const withClock =
    <Body>(use: Use<Body>) =>
    async ({ id, body }: Readonly<{ id: string; body: Body }>) => {
      const clock = find(id);
      return E.isLeft(clock) ? clock : E.mapLeft(invalid)(await use(clock.right, body));
    };
  const codec = ClockState;
  return [
    control(tag, 'GET', `${path}/clock`, {
      id: `read${id}`,
      summary: `Tell what the clock of ${of} shows.`,
      success: { status: 200, description: 'The clock.', codec },
      handle: withClock(async (clock) => E.right(clock.state())),
    }),
    control(tag, 'PUT', `${path}/clock`, {
      id: `change${id}`,
      summary: `Freeze the clock of ${of}, move it, or let it run on.`,
      description:
        'Sessions, tokens, relative times and scenarios follow it. Data with `asOf` is shifted anew to a `now`; with `advance` it ages.',
      body: ClockChange,
      success: { status: 200, description: 'The clock after the change.', codec },
      handle: withClock((clock, body: ClockChange) => clock.change(body)),
    }),
    control(tag, 'DELETE', `${path}/clock`, {
      id: `release${id}`,
      summary: `Give ${of} the usual clock back, as if it had been started now.`,
      success: { status: 200, description: 'The clock.', codec },
      handle: withClock(async (clock) => E.right(await clock.release())),
    }),
  ];
};

/** What a reset has ended. */
export const Reset = new StrictObject(
  {
    rules: described(Count, 'How many rules were removed; what they held was let go.'),
    requests: described(Count, 'How many requests of the journal were forgotten.'),
    tenants: described(Count, 'How many tenants on demand were ended.'),
    clock: described(t.boolean, 'Whether the clock was another one than at the start.'),
    data: described(t.boolean, 'Whether data had been changed.'),
    credentials: described(t.boolean, 'Whether credentials had been made expired, revoked or valid.'),
  },
  'Reset',
);
export type Reset = t.TypeOf<typeof Reset>;

const dataControls = (simulation: Simulation, live: LiveData): readonly AnyControl[] => [
  control('Tenants', 'PUT', '/tenants/{id}/credentials', {
    id: 'setCredentials',
    summary: 'Make the sessions or API tokens of a tenant valid, expired or revoked.',
    body: CredentialStates,
    success: { status: 204, description: 'The next request is judged by them.', codec: null },
    failures: { 404: 'There is no such tenant; the message lists the tenants.' },
    handle: ({ id, body }) => {
      const named = simulation.names.withTenantId({ tenant: id });
      if (E.isLeft(named)) return E.left(missing(`such tenant: ${named.left}`));
      return E.right(live.setCredentials(named.right.tenant, body));
    },
  }),
  control('Data', 'POST', '/tenants/{id}/patch', {
    id: 'patchTenant',
    summary: 'Change the data of a tenant.',
    description: `A merge patch (RFC 7396) of the fixture file of the tenant: ${tenantNames}. An object in the place of a collection names rows by their ids. A new row repeats its new id as its own \`id\`; under the empty name, it gets one. New rows are completed as in a file. The result has to be as valid as a file; a patch that is refused changes nothing.`,
    mediaTypes: ['application/merge-patch+json'],
    body: MergePatch,
    success: { status: 204, description: 'The next request sees the changed data.', codec: null },
    failures: { 404: 'There is no such tenant; the message lists the tenants.' },
    handle: async ({ id, body }) =>
      refusal('tenant of a fixture or on demand')(await live.change(id, patchOf(body))),
  }),
  control('Data', 'POST', '/reset', {
    id: 'reset',
    summary: 'Go back to the start.',
    description:
      'Data, clock, credentials, rules, journal and tenants on demand; a scenario starts over. Accounts that signed up stay. With a tenant, its data, clock, credentials and rules alone.',
    query: OfTenant,
    success: { status: 200, description: 'What was reset.', codec: Reset },
    failures: { 404: 'There is no such tenant; the message lists the tenants.' },
    handle: async ({ query }) =>
      refusal('tenant of a fixture or on demand')(await resetAll(simulation, live, query.tenant)),
  }),
];

/** That there is no tenant on demand by this name. */
const noneMade = ({ list }: LiveData['tenants'], name: string): ControlFailure => {
  const made = list().map(({ id, user }) => ({ name: id, id, email: user.email }));
  return missing(`such tenant on demand: ${unknownTenant(name, made)}`);
};

const tenantControls = (faults: FaultRules, { tenants }: LiveData): readonly AnyControl[] => [
  control('Tenants on demand', 'POST', '/tenants', {
    id: 'createTenant',
    summary: 'Make a tenant that nobody else uses.',
    description:
      'It is a copy of a fixture as the file has it, with a user and credentials of its own, dated for this moment. If anything is refused, there is no tenant. The oldest tenants on demand are removed when there are too many (`--max-tenants`, `--max-tenant-rows`).',
    body: Recipe,
    success: { status: 201, description: 'The tenant, with its credentials.', codec: MadeTenant },
    failures: { 404: 'There is no such fixture; the message lists the fixtures.' },
    handle: async ({ body: { ttl = defaultTtl, ...body } }) =>
      refusal('fixture')(await tenants.create({ ...body, ttl }, addRules(faults))),
  }),
  control('Tenants on demand', 'GET', '/tenants', {
    id: 'listTenants',
    summary: 'List the tenants that were made on demand and have not ended.',
    description: 'The tenants of the fixtures are not listed. No secrets are shown.',
    success: { status: 200, description: 'The tenants, the oldest first.', codec: listOf(OnDemandTenant) },
    handle: () => E.right(tenants.list()),
  }),
  control('Tenants on demand', 'GET', '/tenants/{id}', {
    id: 'readTenant',
    summary: 'Tell about a tenant that was made on demand.',
    success: { status: 200, description: 'The tenant, without its secrets.', codec: OnDemandTenant },
    failures: { 404: 'There is no such tenant, or it has ended.' },
    handle: ({ id }) => {
      const made = tenants.find(id);
      const found = tenants.list().find((tenant) => tenant.id === made?.id);
      return found === undefined ? E.left(noneMade(tenants, id)) : E.right(found);
    },
  }),
  control('Tenants on demand', 'DELETE', '/tenants/{id}', {
    id: 'removeTenant',
    summary: 'End a tenant that was made on demand.',
    success: { status: 204, description: 'Its credentials are worth nothing from now on.', codec: null },
    failures: { 404: 'There is no such tenant, or it has ended.' },
    handle: async ({ id }) =>
      (await tenants.remove(id)) ? E.right(undefined) : E.left(noneMade(tenants, id)),
  }),
  ...clockControls(
    'Tenants on demand',
    { path: '/tenants/{id}', id: 'TenantClock', of: 'a tenant on demand' },
    (id) => {
      const clock = tenants.clock(id);
      return clock === null ? E.left(noneMade(tenants, id)) : E.right(clock);
    },
  ),
];

/** A filter of the journal, and how long to wait. */
const NextRequestQuery = new StrictObject(
  {
    ...JournalFilter.props,
    within: described(optional(Duration), 'How long to wait, such as `500ms`; at most 20 s. Left out: 5 s.'),
  },
  'query',
);

const journalControls = ({ journal, names, stopping }: Simulation): readonly AnyControl[] => [
  control('Journal', 'GET', '/requests', {
    id: 'listRequests',
    summary: 'List the latest requests, and what was simulated for them.',
    query: JournalFilter,
    success: { status: 200, description: 'The requests, the oldest first.', codec: listOf(JournalEntry) },
    handle: ({ query }) => {
      const filter = names.filter(query);
      return E.isLeft(filter) ? E.left(invalid(filter.left)) : E.right(journal.entries(filter.right));
    },
  }),
  control('Journal', 'GET', '/requests/next', {
    id: 'awaitRequest',
    summary: 'Wait for the next request that a filter lets through.',
    description: 'With `since`, it may have come already.',
    query: NextRequestQuery,
    success: { status: 200, description: 'The request.', codec: JournalEntry },
    failures: { 404: 'None came in time; the message has the nearest one.' },
    handle: async ({ query: { within = 5000, ...query } }) => {
      const filter = names.filter(query);
      if (E.isLeft(filter)) return E.left(invalid(filter.left));
      return E.mapLeft(missing)(await nextRequest(journal, filter.right, within, stopping));
    },
  }),
  control('Journal', 'GET', '/requests/{id}', {
    id: 'readRequest',
    summary: 'Show what was sent for a request, and its headers, by its number: of the latest hundred.',
    success: { status: 200, description: 'The exchange, without secrets.', codec: JournalExchange },
    failures: { 404: 'There was no such request, or it is not kept any more.' },
    handle: ({ id }) => {
      const exchange = shownExchange(journal.exchange(Number(id)));
      return exchange === null ? E.left(missing(`request ${id} of the latest hundred`)) : E.right(exchange);
    },
  }),
  control('Journal', 'DELETE', '/requests', {
    id: 'clearRequests',
    summary: 'Empty the journal.',
    success: { status: 204, description: 'The journal is empty, and counts from 1 again.', codec: null },
    handle: () => E.right(journal.clear()),
  }),
];

/** A control, as the list of all of them shows it. */
const ListedControl = new StrictObject(
  {
    method: described(t.string, 'Its method.'),
    path: described(t.string, 'Its path, with `{id}` for a parameter.'),
    description: described(t.string, 'What it does.'),
  },
  'ListedControl',
);

const listOfControls = (controls: readonly AnyControl[], basePath: string): AnyControl => {
  const listed = controls.map(({ method, path, summary: description }) => ({
    method,
    path: `${basePath}${controlsRoot}${path}`,
    description,
  }));
  return control('Controls', 'GET', '/', {
    id: 'listControls',
    summary: 'List the controls.',
    success: { status: 200, description: 'The controls.', codec: listOf(ListedControl) },
    handle: () => E.right(listed),
  });
};

/** What may be told of the controls. */
export type ControlsSettings = SimulationSettings & Pick<ControlsDependencies, 'basePath'>;

/** What the controls change. `live`: the clock and the data; null: they cannot be changed. */
export type ControlsDependencies = Readonly<{
  simulation: Simulation;
  live: LiveData | null;
  /** What comes before the paths of the service: `/mock`, or nothing. */
  basePath: string;
}>;

/** All controls. */
export const controlsOf = ({ simulation, live, basePath }: ControlsDependencies): readonly AnyControl[] => {
  const ofServer = { path: '', id: 'Clock', of: 'the server' };
  const controls = [
    ...faultControls(simulation.faults, forTenant(simulation.names)),
    ...(live === null
      ? []
      : [
          ...clockControls('Time', ofServer, () => E.right(live.clock)),
          ...dataControls(simulation, live),
          ...tenantControls(simulation.faults, live),
        ]),
    ...journalControls(simulation),
  ];
  return [...controls, listOfControls(controls, basePath)];
};

/** What a server has of the controls: without a simulation, nothing. */
export const mockControls = ({ simulation = null, live = null, basePath }: ControlsSettings) => ({
  rows: simulation === null ? [] : controlRows({ simulation, live, basePath }),
  hasControls: simulation !== null,
  stop: (): void => simulation?.stop(),
});

/** The rows of the controls. */
const controlRows = (dependencies: ControlsDependencies): readonly Row[] => {
  const controls = controlsOf(dependencies);
  return controls.flatMap(({ path, method, answer }) => {
    const whole = `${controlsRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const paths = path === '/' ? [whole, controlsRoot] : [whole];
    return paths.map((each) => plainRow(method, each, answer, forOperators));
  });
};

/** Rows that are there for operators alone. */
export const forOperators = { isFor: ({ mayControl }: ServiceRequest): boolean => mayControl };
