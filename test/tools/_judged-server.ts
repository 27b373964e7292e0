import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestLife } from '../_server.js';
import { listenProcess } from '../cli/_cli.js';

/** A server for a tool to judge, with its document. */
export type JudgedServer = Readonly<{
  url: string;
  /** Where the tool runs. */
  directory: string;
  documentUrl: string;
  /** Writes the document with a change to a file, and returns its path. */
  changedDocument: (change: (document: Document) => void) => Promise<string>;
  /** Stops the server: the operations and the statuses of all its answers under the API. */
  answered: () => Promise<ReadonlySet<string>>;
}>;

/** A document, to be changed. */
export type Document = Readonly<{
  info: Record<string, unknown>;
  paths: Readonly<Record<string, Readonly<{ get: Record<string, unknown> }>>>;
  components: Readonly<{
    schemas: Record<string, { type: string; properties: Record<string, unknown>; required: string[] }>;
  }>;
}>;

/**
 * Starts `triage-api serve` on a free port. It is strict, so that each operation has a request that is
 * answered with 400.
 */
export const startJudgedServer = async (life: TestLife): Promise<JudgedServer> => {
  const server = await listenProcess(life, ['--strict']);
  const documentUrl = `${server.url}/openapi.json`;
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-'));
  life.teardown(() => rm(directory, { recursive: true, force: true }));
  return {
    url: server.url,
    directory,
    documentUrl,
    changedDocument: async (change) => {
      const document: Document = JSON.parse(await (await fetch(documentUrl)).text());
      change(document);
      const file = join(directory, 'changed.json');
      await writeFile(file, JSON.stringify(document));
      return file;
    },
    answered: async () => {
      const { out } = await server.end('SIGTERM');
      const requests = out.matchAll(/"operation":"(\w+)","status":(\d+)/g);
      return new Set(Array.from(requests, ([, operation, status]) => `${operation} ${status}`));
    },
  };
};

/** Makes the document promise that each successful response is a text. */
export const promiseText = ({ components: { schemas } }: Document): void => {
  for (const name of ['RepoList', 'FindingPage', 'FindingDetail', 'PrPage']) {
    schemas[name] = { type: 'string', properties: {}, required: [] };
  }
};

/** Makes the document promise one more field in each successful response. */
export const promiseMore = ({ components, paths }: Document): void => {
  for (const name of ['Repo', 'FindingPage', 'FindingDetail', 'PrPage']) {
    const schema = components.schemas[name];
    if (schema === undefined) throw new Error(`there is no schema ${name}`);
    schema.properties.more = { type: 'string' };
    schema.required.push('more');
  }
  for (const { get } of Object.values(paths)) {
    const { examples } = Object(get.responses)[200].content['application/json'];
    for (const { value } of Object.values<{ value: object }>(examples)) {
      for (const each of Array.isArray(value) ? value : [value]) each.more = 'x';
    }
  }
};
