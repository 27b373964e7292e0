import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import * as E from '#fp-ts/Either';
import { rowCount } from '../../api/row-records.js';
import { formatFileProblem } from '../../fixtures/file-problem.js';
import { isOneFile, readFixtures, shippedFixtures } from '../../fixtures/read-fixtures.js';
import { openFixtures, readScenarioFile } from '../../simulation/open-fixtures.js';
import { databaseSuggestion, displayPath, formatFixtureProblems } from '../output/text.js';
import type { BackendDependencies, OpenedBackend } from './backend.js';
import type { ServeSettings } from './serve-options.js';
import { fixtureBanner } from './start-messages.js';
import { watchFixtures } from './watch-fixtures.js';

/** Opens fixtures, a directory or one file, and the folder of the accounts, if there is one. */
export const openFixtureBackend = async (
  settings: ServeSettings,
  { simulated, log, terminal, metrics }: BackendDependencies,
): Promise<OpenedBackend> => {
  const { fixtures = shippedFixtures, state } = settings;
  const directory = displayPath(fixtures);
  const folder = (await isOneFile(directory)) ? dirname(directory) : directory;
  if (state !== undefined && resolve(state) === resolve(folder))
    return E.left(formatFixtureProblems([`${state}: --state must not be the directory of the fixtures`]));
  const scenario = settings.scenario === undefined ? E.right([]) : await readScenarioFile(settings.scenario);
  if (E.isLeft(scenario)) return E.left(formatFixtureProblems(scenario.left));
  // Without --state, nothing is loaded that writes files.
  const locked =
    state === undefined
      ? E.right(undefined)
      : await (await import('../../fixtures/folder-lock.js')).lockFolder(state, {
          pid: terminal.pid,
          host: hostname(),
        });
  if (E.isLeft(locked)) return E.left([locked.left]);
  const watcher = settings.watch ? watchFixtures(folder, log) : null;
  const release = async (): Promise<void> => locked.right?.release();
  const showPasswords = isShipped(folder) || settings.showPasswords;
  terminal.progress(`reading ${directory}`);
  const opened = await openFixtures(
    {
      read: async () => {
        const read = await readFixtures(directory);
        const rows = E.isLeft(read) ? 0 : read.right.reduce((sum, { dataset }) => sum + rowCount(dataset), 0);
        const suggestion = databaseSuggestion(rows);
        if (suggestion !== null) log('warn', suggestion);
        return read;
      },
      withSamples: !settings.quiet,
      showPasswords,
      areShipped: isShipped(directory),
      arePublished: showPasswords && !settings.mutableDemo,
      state: locked.right && state !== undefined ? { folder: state, lock: locked.right } : undefined,
      maxSignUps: settings.maxSignUps,
      personas: settings.signUpPersonas,
      scenario: scenario.right,
      tenantLimits: { maxTenants: settings.maxTenants, maxRows: settings.maxTenantRows },
    },
    {
      clock: simulated.now,
      simulated: settings.mockControls || scenario.right.length > 0 ? simulated : null,
      log,
    },
  );
  terminal.progress('');
  if (E.isLeft(opened)) {
    watcher?.stop();
    await release();
    return E.left(formatFixtureProblems(opened.left));
  }
  const { samples, reload, ...backend } = opened.right;
  let lastProblems = '';
  const reloadAndLog = async (): Promise<void> => {
    const reloaded = await reload();
    if (reloaded === null) return;
    metrics?.onReload(E.isRight(reloaded));
    const problems = E.isLeft(reloaded) ? reloaded.left.map(formatFileProblem) : [];
    // A folder that is away is looked for after each change of those above it.
    const isNews = problems.join('\n') !== lastProblems;
    lastProblems = problems.join('\n');
    if (E.isRight(reloaded)) log('info', 'fixtures reloaded', { tenants: reloaded.right });
    else if (isNews)
      log('error', 'the changed fixtures are invalid; the previous ones are still served', { problems });
  };
  return E.right({
    ...backend,
    banner: (baseUrl) => fixtureBanner(directory, baseUrl, samples),
    exposureRisk: `can sign in with the credentials in ${directory}`,
    work: async () => watcher?.onChange(reloadAndLog),
    close: async () => {
      watcher?.stop();
      await backend.close();
      await release();
    },
  });
};

/** Whether the fixtures are those of the package, whose passwords are public. */
const isShipped = (directory: string): boolean => resolve(directory) === resolve(shippedFixtures);
