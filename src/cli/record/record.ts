import { lstat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from '#fp-ts/Either';
import { newApiToken, newPassword, newSessionValue } from '../../accounts/secrets.js';
import { fetchSend } from '../../client/fetch-send.js';
import { escapeControlCharacters } from '../../common/escape-control-characters.js';
import { type FixtureUser, fixtureUserFor } from '../../recorder/fixture-user.js';
import { recognizableLength } from '../../recorder/protect-session.js';
import { record } from '../../recorder/record.js';
import { SavedResponse } from '../../recorder/resume-log.js';
import { defineCommand } from '../define-command.js';
import { countOf, fixtureSummary } from '../output/fixtures.js';
import { openPartialFile } from '../output/partial-file.js';
import { writeFileAtomically } from '../output/write-file-atomically.js';
import { throttleOptions } from '../settings/client-settings.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { RecordSettings, recordOptions } from './record-settings.js';
import { listsServedFor } from './served-lists.js';

/** Saves what a session can see of a server as a fixture file. */
const recordServer = async (
  settings: RecordSettings,
  terminal: Terminal,
  file: string,
): Promise<ExitCode> => {
  const { session, cookie, asOf, timeout, maxBody, force, restart } = settings;
  const url = settings.url.replace(/\/+$/, '');
  const printError = (line: string): void => terminal.err(escapeControlCharacters(line));
  const user = userOf(file, settings);
  const usageErrors = [...fileNameErrors(file), ...leakErrors(file, user, session)];
  if (usageErrors.length > 0) {
    for (const line of usageErrors) printError(line);
    return exitCode.usage;
  }
  if (!force && (await exists(file))) {
    printError(`${file} already exists; pass --force to overwrite it`);
    return exitCode.failed;
  }
  const opened = await openPartialFile(`${file}.partial`, {
    subject: {
      kind: 'triage-api record 2',
      options: { '--url': url, '--cookie': cookie },
      credentials: [session],
    },
    entry: SavedResponse,
    restart,
    pid: terminal.pid,
  });
  if (E.isLeft(opened)) {
    printError(opened.left);
    return exitCode.failed;
  }
  const partial = opened.right;
  const count = partial.count();
  if (count > 0) printError(`continuing after ${countOf(count, 'response')} from ${file}.partial`);

  const recorded = await record(
    {
      send: fetchSend({ baseUrl: url, timeout, maxBody }),
      throttleOptions: throttleOptions(settings),
      wallClock: () => Date.now(),
      resumeLog: partial,
      listsOf: listsServedFor,
      onProgress: (list, done, total) => terminal.progress(`${list}: ${done} of ${total}`),
    },
    { session, cookieName: cookie, user, schema: schemaFor(file), asOf },
  );
  terminal.progress('');
  if (E.isLeft(recorded)) {
    const { lines, canResume } = recorded.left;
    for (const line of lines) printError(`${url}: ${line}`);
    const isKept = canResume && partial.count() > 0;
    if (!isKept) await partial.discard();
    printError(
      isKept
        ? `nothing was recorded; ${file}.partial holds ${countOf(partial.count(), 'response')}, and the same command continues from there`
        : 'nothing was recorded',
    );
    return exitCode.failed;
  }

  const { dataset, text, warnings, requests } = recorded.right;
  const written = await writeFileAtomically(file, text, terminal.pid)();
  if (E.isLeft(written)) {
    printError(written.left);
    return exitCode.failed;
  }
  await partial.discard();
  for (const warning of warnings) printError(`warning: ${warning}`);
  terminal.out(fixtureSummary(file, dataset));
  terminal.out(
    `recorded from ${url} with ${countOf(requests, 'request')}, as of ${dataset.asOf}: ${warnings.length === 0 ? 'serving the file returns the same lists' : countOf(warnings.length, 'warning')}`,
  );
  // One that was chosen may be in use elsewhere, and whoever chose it knows it.
  if (settings.password === undefined)
    terminal.out(escapeControlCharacters(`e-mail address: ${user.email}, password: ${user.password}`));
  terminal.out(escapeControlCharacters(`session cookie: ${user.session}, bearer token: ${user.token}`));
  return exitCode.done;
};

const userOf = (
  file: string,
  { name, email, password, fileSession, fileToken }: RecordSettings,
): FixtureUser =>
  fixtureUserFor(
    basename(file, '.json'),
    { name, email },
    {
      password: password ?? newPassword(),
      session: fileSession ?? newSessionValue(),
      token: fileToken ?? newApiToken(),
    },
  );

const fileNameErrors = (file: string): readonly string[] =>
  basename(file).endsWith('.json') && !/^[._]/.test(basename(file))
    ? []
    : [
        `${file}: the name must end in .json and must not start with a dot or an underscore, or the file is not served`,
      ];

/**
 * The session that requests are sent with must not end up in the file, not even by mistake. A short one may
 * be a part of a name by chance.
 */
const leakErrors = (file: string, user: FixtureUser, session: string): readonly string[] =>
  Object.entries(user).flatMap(([field, value]) =>
    (session.length < recognizableLength ? value === session : value.includes(session))
      ? [`${file}: the ${field} of the user must not contain the value of --session`]
      : [],
  );

const exists = async (file: string): Promise<boolean> => {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
};

const schema = fileURLToPath(new URL('../../../../schema/fixture.schema.json', import.meta.url));

/**
 * The relative path from a file to the JSON Schema, for editors; undefined unless both are below the working
 * directory.
 */
const schemaFor = (file: string): string | undefined => {
  const isBelow = (path: string): boolean => !relative('', path).startsWith('..');
  return isBelow(schema) && isBelow(resolve(file))
    ? relative(dirname(resolve(file)), schema)
        .split(sep)
        .join('/')
    : undefined;
};

/** `triage-api record`. */
export const recordCommand = defineCommand({
  name: 'record',
  description: 'save what a session can see of a server as a fixture file',
  argument: { syntax: '<file>', description: 'fixture file to write, *.json' },
  options: recordOptions,
  examples: [
    {
      does: 'save what a session can see',
      command:
        'triage-api record recorded.json --session acme-session \\\n      --url https://triage.example.com',
    },
    {
      does: 'save it again as the data of another user',
      command:
        'triage-api record recorded.json --session acme-session --force \\\n      --url https://triage.example.com --name Kim --email kim@team.test',
    },
  ],
  readSettings: settingsReader(RecordSettings, recordOptions),
  run: recordServer,
});
