import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { problemsOf } from '../../contract/codecs/problem.js';
import { fileVariable, keyOf, longFlag, negatedFlag } from './option-names.js';
import type { OptionText, ParsedOptions } from './options.js';
import { readSecretFile } from './secret-file.js';
import type { Environment, Origin, SettingSources } from './setting-sources.js';

/** A value that has not been decoded yet. `note`: why a variable with a common name does not count. */
export type Found = Readonly<{ origin: Origin; value: unknown; note: string | null }>;

/** Whether an option was given on the command line. */
export const isOnCommandLine = ({ flags }: OptionText, parsed: ParsedOptions): boolean =>
  parsed.getOptionValueSource(keyOf(flags)) === 'cli';

/**
 * The value of a setting: from its option, else from its variable, else from the variable with a common name
 * if its value makes sense here, else from the config file, else the default. `left`: one line about
 * variables that cannot be used.
 */
export const findValue = (
  option: OptionText,
  parsed: ParsedOptions,
  { environment, file }: SettingSources,
): E.Either<string, Found> => {
  const { flags, variable, generic, secret = false, fallback } = option;
  const key = keyOf(flags);
  if (isOnCommandLine(option, parsed)) {
    const value: unknown = parsed.getOptionValue(key);
    const name = value === false ? negatedFlag(flags) : longFlag(flags);
    return E.right({ origin: { kind: 'option', name }, value, note: null });
  }
  const own = valueFrom(variable, secret, environment, 'variable');
  if (own !== null) return own;
  const inFile = variable === undefined || option.notInFile === true ? undefined : file.get(key);
  const common = valueFrom(generic?.variable, secret, environment, 'generic');
  if (common !== null && (E.isLeft(common) || common.right.origin.kind === 'variable')) return common;
  const mayCount = common !== null && (inFile === undefined || generic?.isBelowFile !== true);
  const note = mayCount ? noteAbout(option, common.right) : null;
  if (mayCount && note === null) return common;
  const [origin, value]: readonly [Origin, unknown] =
    inFile === undefined
      ? [{ kind: 'default', name: longFlag(flags) }, fallback]
      : [{ kind: 'file', name: inFile.place }, inFile.value];
  return E.right({ origin, value, note });
};

/** The value of a variable, or of the file that it names; null if neither is set. */
const valueFrom = (
  variable: string | undefined,
  secret: boolean,
  environment: Environment,
  kind: 'variable' | 'generic',
): E.Either<string, Found> | null => {
  if (variable === undefined) return null;
  const value = environment[variable] || '';
  const path = secret ? environment[fileVariable(variable)] || '' : '';
  if (value !== '' && path !== '')
    return E.left(`environment variables ${variable} and ${variable}_FILE are both set; set one of them`);
  if (value !== '' && !isServiceAddress(variable, value))
    return E.right({ origin: { kind, name: variable }, value, note: null });
  if (path === '') return null;
  const name = fileVariable(variable);
  return pipe(
    readSecretFile(path),
    E.bimap(
      (reason) => `environment variable ${name}: cannot read ${JSON.stringify(path)}: ${reason}`,
      // Nothing but this program reads such a variable, so it is meant.
      (text): Found => ({ origin: { kind: 'variable', name }, value: text, note: null }),
    ),
  );
};

/** What Kubernetes sets for a service called `triage`: `TRIAGE_PORT=tcp://10.0.0.1:4000`. */
const isServiceAddress = (variable: string, value: string): boolean =>
  variable.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value);

/** Why a variable with a common name does not count; null if it does. */
const noteAbout = ({ generic, variable }: OptionText, { origin, value }: Found): string | null => {
  if (generic === undefined || origin.kind !== 'generic') return null;
  const decoded = generic.accepts.decode(value);
  if (E.isRight(decoded)) return null;
  const [reason] = problemsOf(decoded.left).map(({ message }) => message);
  return `${origin.name} is ignored: ${reason}; set ${variable} for triage-api`;
};
