import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import * as E from '#fp-ts/Either';
import { Password, SessionValue, TokenValue } from '../accounts/account-records.js';
import { fetchSend } from '../client/fetch-send.js';
import { errorCode } from '../common/replace-file.js';
import { Email, Text } from '../contract/codecs/text-and-numbers.js';
import { UtcTime } from '../contract/codecs/timestamp.js';
import { type FixtureUser, fixtureUserFor } from '../verify/record/fixture-from-lists.js';
import { recognizableLength } from '../verify/record/read-lists.js';
import { record } from '../verify/record/record.js';
import { defineCommand } from './define-command.js';
import { countOf, countsOf, fixtureSummary, messageOf, schemaPathFrom } from './output/text.js';
import { alreadyExists, exists, writeFileInDirectory } from './output/write-files.js';
import { CredentialValue } from './settings/codecs.js';
import { required, value } from './settings/option.js';
import {
  clientOptions,
  forceOption,
  throttleOptions,
  urlOption,
  urlsWithPrefix,
} from './settings/shared-options.js';
import { exitCode, fail } from './terminal/terminal.js';

/** `triage-api record`: saves what a session can see of a server as a fixture file. */
export const recordCommand = defineCommand({
  name: 'record',
  description: 'save what a session can see of a server as a fixture file',
  argument: ['<file>', 'fixture file to write, *.json'],
  options: {
    url: urlOption,
    session: required('--session <value>', CredentialValue, 'session cookie to send; it is not written', {
      isSecret: true,
    }),
    asOf: value('--as-of <time>', UtcTime, 'time at which the data is current; default: when it was read'),
    name: value('--name <name>', Text, 'user in the file; default: as the file'),
    email: value('--email <address>', Email, 'address in the file; default: as the file'),
    password: value('--password <password>', Password, 'password in the file; default: random'),
    fileSession: value('--file-session <value>', SessionValue, 'session in the file; default: random'),
    fileToken: value('--file-token <value>', TokenValue, 'token in the file; default: random'),
    force: forceOption,
    ...clientOptions,
    maxRequests: { ...clientOptions.maxRequests, default: '5000' },
  },
  examples: {
    'save what a session can see':
      'triage-api record recorded.json --session acme-session \\\n      --url https://triage.example.com',
    'save it again as the data of another user':
      'triage-api record recorded.json --session acme-session --force \\\n      --url https://triage.example.com --name Kim --email kim@team.test',
  },
  conflicts: ({ settings: { url } }) => urlsWithPrefix({ '--url': url }),
  run: async ({ settings, terminal, words: [file = ''] }) => {
    const { session, cookie, asOf, timeout, maxBody, force } = settings;
    const url = settings.url.replace(/\/+$/, '');
    const user = fixtureUserFor(basename(file, '.json'), settings, {
      password: settings.password ?? newTypableSecret(),
      session: settings.fileSession ?? newTypableSecret(),
      token: settings.fileToken ?? newTypableSecret(),
    });
    const usageErrors = [...fileNameErrors(file), ...leakErrors(file, user, session)];
    if (usageErrors.length > 0) return fail(terminal, usageErrors, exitCode.usage);
    if (!force && (await exists(file))) return fail(terminal, [alreadyExists(file)]);
    // Found out before anything is read. The folder is made only when there is something to write.
    const unwritable = await unwritableReason(dirname(file));
    if (unwritable !== null) return fail(terminal, [`cannot write ${file}: ${unwritable}`]);
    const recorded = await record(
      {
        send: fetchSend({ baseUrl: url, timeout, maxBody }),
        throttleOptions: throttleOptions(settings, 10 * maxBody),
        wallClock: () => Date.now(),
        onProgress: (list, done, total) => terminal.progress(`${list}: ${done} of ${total}`),
      },
      { session, cookieName: cookie, user, schema: schemaPathFrom(dirname(file)) ?? undefined, asOf },
    );
    terminal.progress('');
    if (E.isLeft(recorded))
      return fail(terminal, [...recorded.left.map((line) => `${url}: ${line}`), 'nothing was recorded']);

    const { dataset, text, warnings, requests } = recorded.right;
    const failure = await writeFileInDirectory(file, text);
    if (failure !== null) return fail(terminal, [failure]);
    for (const warning of warnings) terminal.err(`warning: ${warning}`);
    terminal.out(fixtureSummary(file, dataset, countsOf(dataset)));
    terminal.out(
      `recorded from ${url} with ${countOf(requests, 'request')}, as of ${dataset.asOf}: ${warnings.length === 0 ? 'serving the file returns the same lists' : countOf(warnings.length, 'warning')}`,
    );
    // One that was chosen may be in use elsewhere, and whoever chose it knows it.
    if (settings.password === undefined)
      terminal.out(`e-mail address: ${user.email}, password: ${user.password}`);
    terminal.out(`session cookie: ${user.session}, bearer token: ${user.token}`);
    return exitCode.done;
  },
});

/** The letters and digits of which no two look alike: 32, so that each of them has 5 bits. */
const clearCharacters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A new secret that people can type: 80 random bits, as "k7m2-9xqd-pw4t-h3vn". */
const newTypableSecret = (): string =>
  Array.from(randomBytes(16), (byte) => clearCharacters[byte % clearCharacters.length])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');

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

/** Why no file can be written in a folder, or the folder cannot be made; null if it can. */
const unwritableReason = async (folder: string): Promise<string | null> => {
  try {
    // With a separator at its end, the path of a file is refused.
    await access(join(folder, sep), constants.W_OK);
    return null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && dirname(folder) !== folder) return unwritableReason(dirname(folder));
    return messageOf(error);
  }
};
