import { lstat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { type FixtureUser, fixtureUserFor } from '../recorder/fixture-user.js';
import { record } from '../recorder/record.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fetchSender } from './fetch-sender.js';
import { fixtureCounts } from './fixture-counts.js';
import { openPartial } from './partial-file.js';
import type { RecordSettings } from './record-settings.js';
import { servedAnswers } from './served-answers.js';
import type { Terminal } from './terminal.js';
import { throttleOptions } from './throttle-options.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** `triage-api record`: saves what a session can see of a server as a fixture file. */
export const recordServer = async (
  file: string,
  settings: RecordSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { session, cookie, asOf, timeout, force, restart } = settings;
  const url = settings.url.replace(/\/+$/, '');
  const say = (line: string): void => terminal.err(escapeControlCharacters(line));
  const user = userOf(file, settings);
  const wrong = [...wrongName(file), ...secretsIn(file, user, session)];
  if (wrong.length > 0) {
    for (const line of wrong) say(line);
    return exitCode.usage;
  }
  if (!force && (await isThere(file))) {
    say(`${file}: expected no such file yet, got one (with --force it gives way)`);
    return exitCode.failed;
  }
  const opened = await openPartial(`${file}.partial`, { url, session }, restart, terminal.pid);
  if (E.isLeft(opened)) {
    say(opened.left);
    return exitCode.failed;
  }
  const partial = opened.right;
  const count = partial.count();
  if (count > 0) say(`going on after ${answers(count)} that ${file}.partial holds`);

  const recorded = await record(
    {
      send: fetchSender(url, timeout),
      throttleOptions: throttleOptions(settings),
      wallClock: () => Date.now(),
      resumeLog: partial.resumeLog,
      listsOf: servedAnswers,
      onProgress: (list, done, total) => terminal.progress(`${list}: ${done} of ${total}`),
    },
    { session, cookieName: cookie, user, schema: schemaFor(file), asOf },
  );
  terminal.progress('');
  if (E.isLeft(recorded)) {
    const { lines, canResume } = recorded.left;
    for (const line of lines) say(`${url}: ${line}`);
    const isKept = canResume && partial.count() > 0;
    if (!isKept) await partial.discard();
    say(
      isKept
        ? `nothing was recorded; ${file}.partial holds ${answers(partial.count())}, from which the same command goes on`
        : 'nothing was recorded',
    );
    return exitCode.failed;
  }

  const { dataset, text, warnings, requests } = recorded.right;
  const written = await writeFileAtomically(file, text, terminal.pid)();
  if (E.isLeft(written)) {
    say(written.left);
    return exitCode.failed;
  }
  await partial.discard();
  for (const warning of warnings) say(`warning: ${warning}`);
  terminal.out(escapeControlCharacters(`${file}: ${dataset.user.email}: ${fixtureCounts(dataset)}`));
  terminal.out(
    `recorded from ${url} by ${requests} request${requests === 1 ? '' : 's'}, as of ${dataset.asOf}: ${warnings.length === 0 ? 'its lists will be served the same' : `${warnings.length} warning${warnings.length === 1 ? '' : 's'}`}`,
  );
  terminal.out(escapeControlCharacters(`session cookie: ${user.session}, bearer token: ${user.token}`));
  return exitCode.done;
};

const answers = (count: number): string => `${count} answer${count === 1 ? '' : 's'}`;

const userOf = (
  file: string,
  { name, email, password, fileSession, fileToken }: RecordSettings,
): FixtureUser =>
  fixtureUserFor(basename(file, '.json'), { name, email, password, session: fileSession, token: fileToken });

const wrongName = (file: string): readonly string[] =>
  basename(file).endsWith('.json') && !basename(file).startsWith('.')
    ? []
    : [`${file}: expected a name that ends in .json and begins with no dot, since no other is served`];

/** What is written must not hold the credential that is asked with, not even by mistake. */
const secretsIn = (file: string, user: FixtureUser, session: string): readonly string[] =>
  Object.entries(user).flatMap(([field, value]) =>
    value.includes(session)
      ? [`${file}: expected a ${field} of the user without the value of --session in it, got one with it`]
      : [],
  );

const isThere = async (file: string): Promise<boolean> => {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
};

const schema = fileURLToPath(new URL('../../../schema/fixture.schema.json', import.meta.url));

/** The way from a file to the schema, for editors; none where both are not below the working directory. */
const schemaFor = (file: string): string | undefined => {
  const isBelow = (path: string): boolean => !relative('', path).startsWith('..');
  return isBelow(schema) && isBelow(resolve(file))
    ? relative(dirname(resolve(file)), schema)
        .split(sep)
        .join('/')
    : undefined;
};
