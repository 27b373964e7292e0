import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { defaultLockTimeout } from '../../storage/postgres/migrate.js';
import { defaultRolePrefix } from '../../storage/postgres/roles.js';
import { databaseUrlOption } from '../settings/database-option.js';
import type { OptionTexts } from '../settings/options.js';
import { DatabaseUrl, LockTimeout, RolePrefix, Switch } from '../settings/setting-codecs.js';
import { refined, type SettingsReader, settingsReader } from '../settings/settings-reader.js';

const MigrateCodec = t.strict(
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
export type MigrateSettings = t.TypeOf<typeof MigrateCodec> &
  Readonly<{
    /** Whether the database is named by `DATABASE_URL` alone, which may be that of another program. */
    isGeneric: boolean;
  }>;

export const migrateOptions: OptionTexts<keyof t.TypeOf<typeof MigrateCodec>> = {
  databaseUrl: databaseUrlOption,
  check: {
    flags: '--check',
    variable: 'TRIAGE_CHECK',
    notInFile: true,
    fallback: false,
    negatable: 'apply the missing migrations',
    description: 'change nothing; the exit code is 1 if a migration is missing',
  },
  roles: {
    flags: '--roles',
    variable: 'TRIAGE_ROLES',
    fallback: false,
    negatable: 'set up no roles',
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
    negatable: 'leave the database as it is, on one server or distributed',
    description: 'distribute the rows of tenants to the workers of Citus; there is no way back',
  },
  lockTimeout: {
    flags: '--lock-timeout <ms>',
    variable: 'TRIAGE_LOCK_TIMEOUT',
    fallback: String(defaultLockTimeout),
    description: 'milliseconds to wait for a lock, while requests queue behind, before trying again later',
  },
};

export const readMigrateSettings: SettingsReader<MigrateSettings> = refined(
  settingsReader(MigrateCodec, migrateOptions),
  ({ settings, origins }) => {
    const { check, roles, citus } = settings;
    const changing = check ? [...(roles ? ['--roles'] : []), ...(citus ? ['--citus'] : [])] : [];
    return changing.length > 0
      ? E.left(changing.map((flag) => `--check and ${flag} cannot be used together: --check changes nothing`))
      : E.right({ ...settings, isGeneric: origins.get('databaseUrl')?.kind === 'generic' });
  },
);
