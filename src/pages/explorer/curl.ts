import { escapeControlCharacters, shellQuote } from '../../common/messages.js';
import type { CredentialKind } from '../../contract/operations.js';

/** The file in which curl keeps the session cookie; the banner of `serve` uses the same one. */
const cookieJar = 'triage.cookies';

/**
 * Commands that repeat a request, one for each kind of credentials. None contains a credential: the page does
 * not know the session value, which scripts and other people's eyes must not get from it either.
 */
export const curlCommands = (
  url: string,
  accepts: readonly CredentialKind[],
): readonly Readonly<{ kind: CredentialKind; command: string }>[] =>
  accepts.map((kind) => ({
    kind,
    command:
      kind === 'session'
        ? `curl -b ${cookieJar} ${shellQuote(url)}`
        : `curl -H "Authorization: Bearer $TRIAGE_TOKEN" ${shellQuote(url)}`,
  }));

/** The command that logs in and saves the session for the others. */
export const logInCommand = (origin: string, email: string): string =>
  `curl -c ${cookieJar} --data-urlencode ${shellQuote(`email=${escapeControlCharacters(email)}`)} --data-urlencode 'password=YOUR-PASSWORD' ${shellQuote(`${origin}/login`)}`;
