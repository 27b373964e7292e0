import { fetchSend } from '../client/fetch-send.js';
import { DiffReport, type DiffServer, diff, diffText, isEqual } from '../contract-tools/diff.js';
import { defineCommand } from './define-command.js';
import { jsonReport } from './output/text.js';
import { printReport } from './output/write-files.js';
import { BaseUrl, CredentialValue } from './settings/codecs.js';
import { flag, required, value } from './settings/option.js';
import {
  clientOptions,
  jsonReportOption,
  throttleOptions,
  urlsWithPrefix,
} from './settings/shared-options.js';
import { exitCode, fail } from './terminal/terminal.js';

const secret = { isSecret: true };

/** `triage-api diff`: compares the responses of two servers to the same requests. */
export const diffCommand = defineCommand({
  name: 'diff',
  description: 'compare the responses of two servers to the same requests',
  // A credential for one side overrides the one for both.
  options: {
    left: required('--left <url>', BaseUrl, 'base URL of one server, without /api/v1'),
    right: required('--right <url>', BaseUrl, 'base URL of the other server'),
    session: value('--session <value>', CredentialValue, 'session cookie for both servers', secret),
    token: value('--token <value>', CredentialValue, 'bearer token for both servers', secret),
    leftSession: value('--left-session <value>', CredentialValue, 'for the left server only', secret),
    leftToken: value('--left-token <value>', CredentialValue, 'for the left server only', secret),
    rightSession: value('--right-session <value>', CredentialValue, 'for the right server only', secret),
    rightToken: value('--right-token <value>', CredentialValue, 'for the right server only', secret),
    values: flag('--values', 'compare values as well, not only shapes'),
    allHeaders: flag('--all-headers', 'compare all headers: security, server, dates, connection'),
    json: jsonReportOption,
    ...clientOptions,
  },
  examples: {
    'compare the shape of the responses':
      'triage-api diff --session acme-session \\\n      --left http://127.0.0.1:4000 --right https://triage.example.com',
    'compare values as well':
      'triage-api diff --session acme-session --values \\\n      --left http://127.0.0.1:4000 --right https://triage.example.com',
  },
  conflicts: ({ settings: { left, right } }) => urlsWithPrefix({ '--left': left, '--right': right }),
  run: async ({ settings, terminal }) => {
    const { left, right } = settings;
    const session = {
      left: settings.leftSession ?? settings.session,
      right: settings.rightSession ?? settings.session,
    };
    const token = {
      left: settings.leftToken ?? settings.token,
      right: settings.rightToken ?? settings.token,
    };
    if (session.left === undefined || session.right === undefined) {
      const side = session.left === undefined ? 'left' : 'right';
      return fail(
        terminal,
        [`the ${side} server needs a session: pass --session or --${side}-session`],
        exitCode.usage,
      );
    }
    const server = (url: string, session: string, token: string | undefined): DiffServer => ({
      url,
      send: fetchSend({ baseUrl: url, timeout: settings.timeout, maxBody: settings.maxBody }),
      session,
      token: token ?? null,
    });
    const report = await diff(
      server(left, session.left, token.left),
      server(right, session.right, token.right),
      {
        throttleOptions: throttleOptions(settings),
        cookieName: settings.cookie,
        compare: { values: settings.values, allHeaders: settings.allHeaders },
        onProgress: (done, total, request) => terminal.progress(`${done + 1}/${total} ${request}`),
      },
    );
    terminal.progress('');

    const json = { file: settings.json, text: `${jsonReport(DiffReport.encode(report))}\n` };
    const code = await printReport(terminal, diffText(report), [json]);
    if (report.stopped !== null) terminal.err(`stopped: ${report.stopped}`);
    return isEqual(report) ? code : exitCode.failed;
  },
});
