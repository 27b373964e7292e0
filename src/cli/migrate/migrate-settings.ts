import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { defaultLockTimeout } from '../../storage/postgres/migrate.js';
import { defaultRolePrefix } from '../../storage/postgres/roles/role-names.js';
import { databaseUrlOption } from '../settings/database-option.js';
import { type OptionTexts, type SettingsReader, settingsReader } from '../settings/options.js';
import { DatabaseUrl, LockTimeout, RolePrefix, Switch } from '../settings/setting-codecs.js';

const MigrateSettings = t.strict(
  {
    databaseUrl: DatabaseUrl,
    check: Switch,
    roles: Switch,
    rolePrefix: RolePrefix,
    citus: Switch,
    lockTimeout: LockTimeout,
  },
  'MigrateSettings',
);
export type MigrateSettings = t.TypeOf<typeof MigrateSettings>;

export const migrateOptions: OptionTexts<keyof MigrateSettings> = {
  databaseUrl: databaseUrlOption,
  check: {
    flags: '--check',
    variable: 'TRIAGE_CHECK',
    fallback: false,
    negatable: true,
    description: 'change nothing; the exit code is 1 if a migration is missing',
  },
  roles: {
    flags: '--roles',
    variable: 'TRIAGE_ROLES',
    fallback: false,
    negatable: true,
    description: 'set up roles that own, serve, write and read, and may do nothing else',
  },
  rolePrefix: {
    flags: '--role-prefix <prefix>',
    variable: 'TRIAGE_ROLE_PREFIX',
    fallback: defaultRolePrefix,
    description: 'what the names of these roles begin with',
  },
  citus: {
    flags: '--citus',
    variable: 'TRIAGE_CITUS',
    fallback: false,
    negatable: true,
    description: 'distribute the rows of tenants to the workers of Citus; there is no way back',
  },
  lockTimeout: {
    flags: '--lock-timeout <ms>',
    variable: 'TRIAGE_LOCK_TIMEOUT',
    fallback: String(defaultLockTimeout),
    description: 'milliseconds to wait for a lock, while requests queue behind, before trying again later',
  },
};

const readSettings = settingsReader(MigrateSettings, migrateOptions);

export const readMigrateSettings: SettingsReader<MigrateSettings> = (parsed, environment) => {
  const settings = readSettings(parsed, environment);
  if (E.isLeft(settings) || !settings.right.check) return settings;
  const { roles, citus } = settings.right;
  const changing = [...(roles ? ['--roles'] : []), ...(citus ? ['--citus'] : [])];
  return changing.length === 0
    ? settings
    : E.left(changing.map((flag) => `--check and ${flag} cannot be used together: --check changes nothing`));
};
