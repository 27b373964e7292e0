import * as E from 'fp-ts/lib/Either.js';
import { type DiffServer, diff } from '../diff/diff.js';
import { DiffReport, isEqual } from '../diff/diff-report.js';
import { diffText } from '../diff/diff-text.js';
import type { DiffSettings } from './diff-settings.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fetchSender } from './fetch-sender.js';
import type { Terminal } from './terminal.js';
import { throttleOptions } from './throttle-options.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** `triage-api diff`: how two servers answer the same requests differently. */
export const diffServers = async (settings: DiffSettings, terminal: Terminal): Promise<ExitCode> => {
  const { left, right } = settings;
  const session = {
    left: settings.leftSession ?? settings.session,
    right: settings.rightSession ?? settings.session,
  };
  const token = { left: settings.leftToken ?? settings.token, right: settings.rightToken ?? settings.token };
  if (session.left === undefined || session.right === undefined) {
    const side = session.left === undefined ? 'left' : 'right';
    terminal.err(`--session, --${side}-session: expected a session for the ${side} server, got none`);
    return exitCode.usage;
  }
  const server = (url: string, session: string, token: string | undefined): DiffServer => ({
    url,
    send: fetchSender(url, settings.timeout),
    session,
    token: token ?? null,
  });
  const report = await diff(
    server(left, session.left, token.left),
    server(right, session.right, token.right),
    {
      throttleOptions: throttleOptions(settings),
      cookieName: settings.cookie,
      values: settings.values,
      onProgress: (done, total, request) => terminal.progress(`${done + 1}/${total} ${request}`),
    },
  );
  terminal.progress('');

  const json = JSON.stringify(DiffReport.encode(report), null, 2);
  for (const line of settings.json === '-' ? [json] : diffText(report)) terminal.out(line);
  if (report.stopped !== null) terminal.err(`stopped: ${report.stopped}`);
  const code = isEqual(report) ? exitCode.done : exitCode.failed;
  if (settings.json === undefined || settings.json === '-') return code;
  const written = await writeFileAtomically(settings.json, `${json}\n`, terminal.pid)();
  if (E.isRight(written)) return code;
  terminal.err(written.left);
  return exitCode.failed;
};
