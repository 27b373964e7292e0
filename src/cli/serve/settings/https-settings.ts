import * as t from 'io-ts';
import { optional } from '../../../codecs/optional.js';
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
    description: 'serve over https; without --cert, with a certificate that is made for this machine',
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

/** What cannot be combined. */
export const httpsConflicts = ({ https, cert, key }: HttpsSettings): readonly string[] => {
  const given = [...(cert === undefined ? [] : ['--cert']), ...(key === undefined ? [] : ['--key'])];
  if (given.length > 0 && !https)
    return [`${given.join(' and ')} ${given.length === 1 ? 'needs' : 'need'} --https`];
  return given.length === 1 ? ['--cert and --key need each other: both, or neither'] : [];
};
