import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { problemsOf } from '../codecs/problem.js';
import { linesAbout } from '../in-process/or-throw.js';
import { scenarioFromValue } from '../in-process/scenario-from-value.js';
import { TriageApiError } from '../in-process/triage-api-error.js';
import { scenarioProblems } from '../live-fixtures/changed-fixtures.js';
import type { Scenario } from '../simulation/scenario.js';
import { fixturesFromValues } from '../storage/fixtures/fixtures-from-values.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { type FetchHandlerOptions, Options } from './options.js';

/** What a handler is made of, checked. */
export type Loaded = Readonly<{
  fixtures: readonly Fixture[];
  options: t.TypeOf<typeof Options>;
  scenario: Scenario;
}>;

/** Checks fixtures and options. Throws a `TriageApiError` that lists `problems` and those of both. */
export const loadOptions = (
  fixtures: unknown,
  given: FetchHandlerOptions,
  problems: readonly string[],
): Loaded => {
  const options = E.mapLeft((errors: t.Errors) => linesAbout('options', problemsOf(errors)))(
    Options.decode(given),
  );
  const loaded = fixturesFromValues(fixtures);
  const scenario = scenarioFromValue(Object(given).scenario);
  if (E.isLeft(options) || E.isLeft(loaded) || E.isLeft(scenario)) {
    const found = [options, loaded, scenario].flatMap((each) => (E.isLeft(each) ? each.left : []));
    throw new TriageApiError([...problems, ...found]);
  }
  const unfit = [
    ...problems,
    ...scenarioProblems(scenario.right, loaded.right),
    ...unknownSession(options.right.session, loaded.right),
  ];
  if (unfit.length > 0) throw new TriageApiError(unfit);
  return { fixtures: loaded.right, options: options.right, scenario: scenario.right };
};

/** A session that nobody has would be a typing error, answered by 401 all the time. */
const unknownSession = (
  session: boolean | string | undefined,
  fixtures: readonly Fixture[],
): readonly string[] => {
  if (typeof session !== 'string') return [];
  const isKnown = fixtures.some(
    ({ name, dataset }) => name === session || dataset.sessions.some(({ value }) => value === session),
  );
  const names = fixtures.map(({ name }) => name).join(', ');
  return isKnown
    ? []
    : [
        `options session: expected true, the name of a tenant (${names}) or the value of one of their sessions`,
      ];
};
