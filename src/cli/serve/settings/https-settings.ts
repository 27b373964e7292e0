import * as t from 'io-ts';
import { optional } from '../../../contract/codecs/combinators.js';
import type { OptionTexts } from '../../settings/options.js';
import { NonEmptyString, Switch } from '../../settings/setting-codecs.js';

/** Whether connections are encrypted, and by which certificate. */
export const HttpsSettings = t.strict(
  { https: Switch, cert: optional(NonEmptyString), key: optional(NonEmptyString) },
  'HttpsSettings',
);
export type HttpsSettings = t.TypeOf<typeof HttpsSettings>;

export const httpsOptions: OptionTexts<keyof HttpsSettings> = {
  https: {
    flags: '--https',
    variable: 'TRIAGE_HTTPS',
    fallback: false,
    negatable: 'serve over http',
    description: 'serve over https with the certificate of --cert and --key',
  },
  cert: {
    flags: '--cert <file>',
    variable: 'TRIAGE_CERT',
    description: 'with --https: certificate in PEM, followed by those of its issuers',
  },
  key: {
    flags: '--key <file>',
    variable: 'TRIAGE_KEY',
    description: 'with --https: private key of the certificate, in PEM and not encrypted',
  },
};

/** What is missing, or cannot be combined. */
export const httpsConflicts = ({ https, ...files }: HttpsSettings): readonly string[] => {
  const options = (['cert', 'key'] as const).map((name) => ({ option: `--${name}`, file: files[name] }));
  const wrong = options.filter(({ file }) => (file === undefined) === https).map(({ option }) => option);
  if (wrong.length === 0) return [];
  const names = wrong.join(' and ');
  return https
    ? [`--https needs ${names}: mkcert makes both files, see docs/command-line.md#https`]
    : [`${names} ${wrong.length === 1 ? 'needs' : 'need'} --https`];
};
