import { resolve } from 'node:path';
import * as E from '#fp-ts/Either';
import { fetchSend } from '../../client/fetch-send.js';
import { type DiffServer, diff } from '../../diff/diff.js';
import { noLog, SavedComparison } from '../../diff/diff-log.js';
import { DiffReport, isEqual } from '../../diff/diff-report.js';
import { diffText } from '../../diff/diff-text.js';
import type { Sides } from '../../diff/run-diff.js';
import { defineCommand } from '../define-command.js';
import { countOf } from '../output/fixtures.js';
import { jsonReport } from '../output/json-report.js';
import { openPartialFile, type PartialFile } from '../output/partial-file.js';
import { writeFileAtomically } from '../output/write-file-atomically.js';
import { throttleOptions } from '../settings/client-settings.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { DiffSettings, diffOptions } from './diff-settings.js';

/** The file name that means standard output. */
const standardOutput = '-';

/** Compares the responses of two servers to the same requests. */
const diffServers = async (settings: DiffSettings, terminal: Terminal): Promise<ExitCode> => {
  const { left, right } = settings;
  const session = {
    left: settings.leftSession ?? settings.session,
    right: settings.rightSession ?? settings.session,
  };
  const token = { left: settings.leftToken ?? settings.token, right: settings.rightToken ?? settings.token };
  if (session.left === undefined || session.right === undefined) {
    const side = session.left === undefined ? 'left' : 'right';
    terminal.err(`the ${side} server needs a session: pass --session or --${side}-session`);
    return exitCode.usage;
  }
  if (isSameFile(settings.resume, settings.json)) {
    terminal.err('--resume and --json must name different files');
    return exitCode.usage;
  }
  const server = (url: string, session: string, token: string | undefined): DiffServer => ({
    url,
    send: fetchSend({ baseUrl: url, timeout: settings.timeout, maxBody: settings.maxBody }),
    session,
    token: token ?? null,
  });
  const opened = await openLog(settings, session, token, terminal);
  if (E.isLeft(opened)) {
    terminal.err(opened.left);
    return exitCode.failed;
  }
  const partial = opened.right;
  const report = await diff(
    server(left, session.left, token.left),
    server(right, session.right, token.right),
    {
      throttleOptions: throttleOptions(settings),
      cookieName: settings.cookie,
      compare: { values: settings.values, allHeaders: settings.allHeaders },
      log: partial ?? noLog,
      onProgress: (done, total, request) => terminal.progress(`${done + 1}/${total} ${request}`),
    },
  );
  terminal.progress('');

  const json = jsonReport(DiffReport.encode(report));
  for (const line of settings.json === standardOutput ? [json] : diffText(report)) terminal.out(line);
  if (report.stopped !== null) terminal.err(`stopped: ${report.stopped}`);
  if (settings.json !== undefined && settings.json !== standardOutput) {
    const written = await writeFileAtomically(settings.json, `${json}\n`, terminal.pid)();
    if (E.isLeft(written)) {
      terminal.err(written.left);
      return exitCode.failed;
    }
  }
  if (report.stopped === null) await partial?.discard();
  else if (partial !== null)
    terminal.err(
      `${settings.resume} holds ${countOf(partial.count(), 'comparison')}, and the same command continues from there`,
    );
  return isEqual(report) ? exitCode.done : exitCode.failed;
};

const isSameFile = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && resolve(a) === resolve(b);

/** Opens the file of `--resume`; null without one. */
const openLog = async (
  { left, right, cookie, values, allHeaders, resume, restart }: DiffSettings,
  session: Sides<string | undefined>,
  token: Sides<string | undefined>,
  terminal: Terminal,
): Promise<E.Either<string, PartialFile<SavedComparison> | null>> => {
  if (resume === undefined) return E.right(null);
  const opened = await openPartialFile(resume, {
    subject: {
      kind: 'triage-api diff 1',
      options: {
        '--left': left,
        '--right': right,
        '--cookie': cookie,
        '--values': String(values),
        '--all-headers': String(allHeaders),
      },
      credentials: [session.left, session.right, token.left, token.right].map((value) => value ?? null),
    },
    entry: SavedComparison,
    restart,
    pid: terminal.pid,
  });
  if (E.isRight(opened) && opened.right.count() > 0)
    terminal.err(`continuing after ${countOf(opened.right.count(), 'comparison')} from ${resume}`);
  return opened;
};

/** `triage-api diff`. */
export const diffCommand = defineCommand({
  name: 'diff',
  description: 'compare the responses of two servers to the same requests',
  options: diffOptions,
  examples: [
    {
      does: 'compare the shape of the responses',
      command:
        'triage-api diff --session acme-session \\\n      --left http://127.0.0.1:4000 --right https://triage.example.com',
    },
    {
      does: 'compare values as well',
      command:
        'triage-api diff --session acme-session --values \\\n      --left http://127.0.0.1:4000 --right https://triage.example.com',
    },
  ],
  readSettings: settingsReader(DiffSettings, diffOptions),
  run: diffServers,
});
