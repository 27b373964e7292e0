import { shellQuote } from '../common/messages.js';
import type { CredentialKind } from '../contract/operations.js';
import type { ServerMode } from './layout.js';

/** The file in which curl keeps the session cookie; the banner of `serve` uses the same one. */
export const cookieJar = 'triage.cookies';

/**
 * A command that repeats a request, and the tool that runs it: curl or, for a demo that nothing but its own
 * browser reaches, the console there. `secret`: the credential, if the page may show it.
 */
export const commandFor = (
  mode: ServerMode,
  url: string,
  kind: CredentialKind,
  secret: string | null,
): readonly [tool: string, command: string] => {
  if (mode === 'browser') {
    const headers = { headers: { Authorization: `Bearer ${secret ?? 'YOUR-TOKEN'}` } };
    const options = kind === 'bearer' ? `, ${JSON.stringify(headers)}` : '';
    return ['Console', `await (await fetch(${JSON.stringify(url)}${options})).json()`];
  }
  const cookie = secret === null ? cookieJar : shellQuote(`session=${secret}`);
  const token =
    secret === null ? '"Authorization: Bearer $TRIAGE_TOKEN"' : shellQuote(`Authorization: Bearer ${secret}`);
  return ['curl', `curl ${kind === 'session' ? `-b ${cookie}` : `-H ${token}`} ${shellQuote(url)}`];
};
