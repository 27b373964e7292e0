import { dirname, resolve } from 'node:path';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashPassword } from '../../accounts/passwords.js';
import type { Log } from '../../common/log.js';
import { isOneFile, readFixtures, shippedFixtures } from '../../fixtures/read-fixtures.js';
import type { Metrics } from '../../http/metrics.js';
import { rowCount } from '../../records/dataset.js';
import { type FixtureBackend, openFixtures, readScenarioFile } from '../../server/open-fixtures.js';
import type { Backend } from '../../server/start-server.js';
import type { SimulatedClock } from '../../simulation/simulated-clock.js';
import { databaseSuggestion, displayPath, formatFixtureProblems } from '../output/text.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ServeSettings } from './settings/serve-settings.js';
import { fixtureBanner } from './start-messages.js';
import { watchFixtures } from './watch-fixtures.js';

/** A backend with what `serve` does around it. */
export type ServeBackend = Backend &
  Readonly<{
    /** The lines to print before the server listens. */
    banner: (baseUrl: string) => readonly string[];
    /** What anyone who can reach the server can do; null if it needs no warning. */
    exposureRisk: string | null;
    /** Starts work in the background. To be called once the server listens. */
    onListening: () => void;
    /** Resolves if the server has to stop after all. One line for each reason. */
    fatalError: Promise<readonly string[]>;
  }>;

/** The default for fixtures: all sign-ups are in memory, also those that are kept in files. */
const defaultMaxSignUps = 500;

type Settings = Pick<
  ServeSettings,
  | 'state'
  | 'maxSignUps'
  | 'signUpPersonas'
  | 'watch'
  | 'showPasswords'
  | 'mutableDemo'
  | 'quiet'
  | 'scenario'
  | 'mockControls'
  | 'maxTenants'
  | 'maxTenantRows'
> &
  Readonly<{ fixtures: string }>;

type Dependencies = Readonly<{
  simulated: SimulatedClock;
  log: Log;
  terminal: Terminal;
  metrics: Pick<Metrics, 'onReload'> | null;
}>;

/**
 * Opens fixtures, a directory or one file, and the folder of the accounts, if there is one. `left`: one line
 * for each problem.
 */
export const openFixtureBackend = async (
  { fixtures, state, maxSignUps = defaultMaxSignUps, watch, ...settings }: Settings,
  { simulated, log, terminal, metrics }: Dependencies,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const directory = displayPath(fixtures);
  const folder = (await isOneFile(directory)) ? dirname(directory) : directory;
  if (state !== undefined && resolve(state) === resolve(folder)) {
    return E.left(formatFixtureProblems([`${state}: --state must not be the directory of the fixtures`]));
  }
  const scenario = settings.scenario === undefined ? E.right([]) : await readScenarioFile(settings.scenario);
  if (E.isLeft(scenario)) return E.left(formatFixtureProblems(scenario.left));
  // Without --state, nothing is loaded that writes files.
  const locked =
    state === undefined
      ? E.right(undefined)
      : await (await import('./state-lock.js')).lockState(state, terminal);
  if (E.isLeft(locked)) return E.left([locked.left]);
  const unlock = async (): Promise<void> => locked.right?.lock.release();
  const watcher = watch ? watchFixtures(folder, log) : null;
  const showPasswords = isShipped(folder) || settings.showPasswords;
  terminal.progress(`reading ${directory}`);
  const opened = await openFixtures(
    {
      read: pipe(
        readFixtures(directory),
        TE.tapIO((read) => () => {
          const rows = read.reduce((sum, { dataset }) => sum + rowCount(dataset), 0);
          const suggestion = databaseSuggestion(rows);
          if (suggestion !== null) log('warn', suggestion);
        }),
      ),
      withSamples: !settings.quiet,
      showPasswords,
      areShipped: isShipped(directory),
      arePublished: showPasswords && !settings.mutableDemo,
      state: locked.right,
      maxSignUps,
      personas: settings.signUpPersonas,
      scenario: scenario.right,
      tenantLimits: { maxTenants: settings.maxTenants, maxRows: settings.maxTenantRows },
    },
    {
      clock: simulated.now,
      simulated: settings.mockControls || scenario.right.length > 0 ? simulated : null,
      log,
      hashPassword,
    },
  );
  terminal.progress('');
  if (E.isLeft(opened)) {
    watcher?.stop();
    await unlock();
    return E.left(formatFixtureProblems(opened.left));
  }
  const { samples, reload, ...backend } = opened.right;
  return E.right({
    ...backend,
    banner: (baseUrl) => fixtureBanner(directory, baseUrl, samples),
    exposureRisk: `can sign in with the credentials in ${directory}`,
    onListening: () => watcher?.onChange(reloadAndLog(reload, log, metrics)),
    fatalError: new Promise(() => {}),
    close: async () => {
      watcher?.stop();
      await backend.close();
      await unlock();
    },
  });
};

/** Whether the fixtures are those of the package, whose passwords are public. */
const isShipped = (directory: string): boolean => resolve(directory) === resolve(shippedFixtures);

const reloadAndLog =
  (reload: FixtureBackend['reload'], log: Log, metrics: Dependencies['metrics']) =>
  async (): Promise<void> => {
    const reloaded = await reload();
    if (reloaded === null) return;
    metrics?.onReload(E.isRight(reloaded));
    if (E.isRight(reloaded)) log('info', 'fixtures reloaded', { tenants: reloaded.right });
    else
      log('error', 'the changed fixtures are invalid; the previous ones are still served', {
        problems: reloaded.left,
      });
  };
