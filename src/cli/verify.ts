import * as E from 'fp-ts/lib/Either.js';
import { junitReport } from '../verify/junit-report.js';
import { isConforming, VerifyReport } from '../verify/report.js';
import { textReport } from '../verify/text-report.js';
import { verify } from '../verify/verify.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fetchSender } from './fetch-sender.js';
import type { Terminal } from './terminal.js';
import { throttleOptions } from './throttle-options.js';
import type { VerifySettings } from './verify-settings.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** What stands for standard output among files. */
const standardOutput = '-';

/** `triage-api verify`: judges a server against the contract, and tells in up to three forms what it found. */
export const verifyServer = async (settings: VerifySettings, terminal: Terminal): Promise<ExitCode> => {
  const { url, cookie, timeout, json, junit } = settings;
  if (json === standardOutput && junit === standardOutput) {
    terminal.err('--json, --junit: expected one of them on standard output, got both');
    return exitCode.usage;
  }
  const report = await verify(
    {
      send: fetchSender(url, timeout),
      throttling: throttleOptions(settings),
      wallClock: () => Date.now(),
      onProgress: (done, of, { id }) => terminal.progress(`${done + 1}/${of} ${id}`),
    },
    { url, cookieName: cookie, secrets: settings },
  );
  terminal.progress('');

  const files = [
    { file: json, text: `${JSON.stringify(VerifyReport.encode(report), null, 2)}\n` },
    { file: junit, text: junitReport(report) },
  ];
  const printed = files.find(({ file }) => file === standardOutput);
  for (const line of printed === undefined ? textReport(report) : [printed.text.trimEnd()])
    terminal.out(line);
  if (report.stopped !== null) terminal.err(`${report.url}: expected an answer, got none: ${report.stopped}`);

  let code: ExitCode = isConforming(report) ? exitCode.done : exitCode.failed;
  for (const { file, text } of files) {
    if (file === undefined || file === standardOutput) continue;
    const written = await writeFileAtomically(file, text, terminal.pid)();
    if (E.isRight(written)) continue;
    terminal.err(written.left);
    code = exitCode.failed;
  }
  return code;
};
