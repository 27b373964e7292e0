import { fetchSend } from '../client/fetch-send.js';
import { DiffReport, type DiffServer, diff, diffText, isEqual } from '../verify/diff.js';
import { defineCommand } from './define-command.js';
import { jsonReport } from './output/text.js';
import { printReport } from './output/write-files.js';
import { BaseUrl } from './settings/codecs.js';
import { flag, required } from './settings/option.js';
import {
  clientOptions,
  credential,
  jsonReportOption,
  throttleOptions,
  urlsWithPrefix,
} from './settings/shared-options.js';
import { exitCode } from './terminal/terminal.js';

const sides = ['left', 'right'] as const;

/** `triage-api diff`: compares the responses of two servers to the same requests. */
export const diffCommand = defineCommand({
  name: 'diff',
  description: 'compare the responses of two servers to the same requests',
  // A credential for one side overrides the one for both.
  options: {
    left: required('--left <url>', BaseUrl, 'base URL of one server, without /api/v1'),
    right: required('--right <url>', BaseUrl, 'base URL of the other server'),
    session: credential('--session', 'session cookie for both servers'),
    token: credential('--token', 'bearer token for both servers'),
    leftSession: credential('--left-session', 'for the left server only'),
    leftToken: credential('--left-token', 'for the left server only'),
    rightSession: credential('--right-session', 'for the right server only'),
    rightToken: credential('--right-token', 'for the right server only'),
    values: flag('--values', 'compare values as well, not only shapes'),
    json: jsonReportOption,
    ...clientOptions,
  },
  examples: {
    'compare the shape of the responses':
      'triage-api diff --session acme-session \\\n      --left http://127.0.0.1:4000 --right https://triage.example.com',
    'compare values as well':
      'triage-api diff --session acme-session --values \\\n      --left http://127.0.0.1:4000 --right https://triage.example.com',
  },
  conflicts: ({ settings }) => {
    const { left, right, session } = settings;
    const without = sides.find((side) => (settings[`${side}Session`] ?? session) === undefined);
    return [
      ...urlsWithPrefix({ '--left': left, '--right': right }),
      ...(without === undefined
        ? []
        : [`the ${without} server needs a session: pass --session or --${without}-session`]),
    ];
  },
  run: async ({ settings, terminal }) => {
    const { timeout, maxBody, cookie, values } = settings;
    const server = (side: (typeof sides)[number]): DiffServer => ({
      url: settings[side],
      send: fetchSend({ baseUrl: settings[side], timeout, maxBody }),
      session: settings[`${side}Session`] ?? settings.session ?? '',
      token: settings[`${side}Token`] ?? settings.token ?? null,
    });
    const report = await diff(server('left'), server('right'), {
      // Of each server.
      throttleOptions: throttleOptions(settings, 5 * maxBody),
      cookieName: cookie,
      values,
      onProgress: (done, total, request) => terminal.progress(`${done + 1}/${total} ${request}`),
    });
    terminal.progress('');
    const json = { file: settings.json, text: `${jsonReport(DiffReport.encode(report))}\n` };
    const code = await printReport(terminal, diffText(report), [json]);
    if (report.stopped !== null) terminal.err(`stopped: ${report.stopped}`);
    return isEqual(report) ? code : exitCode.failed;
  },
});
