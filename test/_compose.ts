import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import * as t from 'io-ts';
import { directoryWith } from './fixtures/_directory.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const Service = t.intersection([
  t.type({
    read_only: t.literal(true),
    cap_drop: t.tuple([t.literal('ALL')]),
    security_opt: t.tuple([t.literal('no-new-privileges:true')]),
    tmpfs: t.array(t.string),
    mem_limit: t.string,
    cpus: t.number,
    pids_limit: t.number,
    environment: t.record(t.string, t.string),
    secrets: t.array(t.string),
    restart: t.string,
  }),
  t.partial({
    image: t.string,
    build: t.string,
    init: t.boolean,
    command: t.array(t.string),
    cap_add: t.array(t.string),
    ports: t.array(t.string),
    stop_grace_period: t.string,
  }),
]);
export type Service = t.TypeOf<typeof Service>;

const Compose = t.type({
  services: t.type({ database: Service, migrate: Service, api: Service }),
  secrets: t.record(t.string, t.type({ file: t.string })),
});

/** `compose.yaml`, by the YAML parser of the OpenAPI parser. */
export const composed = async (): Promise<t.TypeOf<typeof Compose>> => {
  const { resolve } = createRequire(import.meta.url);
  const yaml: unknown = createRequire(resolve('@apidevtools/swagger-parser'))('js-yaml');
  const parsed: unknown = Object(yaml).load(await readFile(join(root, 'compose.yaml'), 'utf8'));
  if (!Compose.is(parsed)) throw new Error('compose.yaml lacks a setting of a service');
  return parsed;
};

/** Makes the secrets in a copy of the folder, and gives the directory they are in. */
export const madeSecrets = async (t: ExecutionContext): Promise<string> => {
  const directory = await directoryWith(t, {});
  await cp(join(root, 'compose'), join(directory, 'compose'), { recursive: true });
  await promisify(execFile)('sh', [join(directory, 'compose/make-secrets.sh')]);
  return join(directory, 'secrets');
};
