import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import test from 'ava';
import { operations } from '../../src/contract/operations.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { directoryWith } from '../fixtures/_directory.js';

const examples = readExamples();

const text = JSON.stringify(openApiDocument(examples), null, 2);
const document = JSON.parse(text);

test('the OpenAPI document is the same bytes each time', (t) => {
  t.is(JSON.stringify(openApiDocument(examples), null, 2), text);
});

const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

/** What the recommended rules of Redocly say of a document: its exit code, and the rules that are broken. */
const lint = async (directory: string, content: string): Promise<readonly [number, readonly string[]]> => {
  const file = join(directory, 'openapi.json');
  await writeFile(file, content);
  const words = [redocly, 'lint', file, '--extends', 'recommended', '--format', 'json'];
  const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { code = 0, stdout } = await promisify(execFile)(process.execPath, words, {
    cwd: directory,
    env: quiet,
  }).catch((failed: unknown) => Object(failed));
  const { problems } = JSON.parse(stdout);
  return [code, problems.map((problem: unknown) => Object(problem).ruleId)];
};

test('Redocly’s recommended rules find nothing in the document, and something in a broken copy', async (t) => {
  const directory = await directoryWith(t, {});
  t.deepEqual(await lint(directory, text), [0, []]);
  const [code, rules] = await lint(
    directory,
    text.replace('"operationId": "listPrs"', '"operationId": "listFindings"'),
  );
  t.deepEqual([code, rules], [1, ['operation-operationId-unique']]);
});

test('swagger-parser accepts the document, and refuses a broken copy', async (t) => {
  await t.notThrowsAsync(SwaggerParser.validate(JSON.parse(text)));
  await t.throwsAsync(SwaggerParser.validate(JSON.parse(text.replaceAll('"responses"', '"answers"'))));
});

test('the OpenAPI document has every operation, with its parameters, credentials and answers', (t) => {
  const facts = Object.entries<{ get: Record<string, object> }>(document.paths).map(([path, { get }]) => [
    path,
    get.operationId,
    Object.values(Object(get.parameters)).map((each) => {
      const { name, in: place, required, schema } = Object(each);
      return `${place} ${name}${required ? '' : '?'} ${Object.values(schema).join(' ')}`;
    }),
    get.security,
    Object.keys(Object(get.responses)).join(' '),
  ]);
  const page = 'query page? integer 1 9007199254740991 1';
  const limit = 'query limit? integer 1 100 25';
  const [session, bearer] = [{ session: [] }, { bearer: [] }];
  t.deepEqual<unknown, unknown>(facts, [
    ['/api/v1/repos', 'listConnectedRepos', [], [session], '200 304 400 401 500 503'],
    [
      '/api/v1/findings',
      'listFindings',
      [
        page,
        limit,
        'query repoId? string',
        'query severity? #/components/schemas/Severity',
        'query status? #/components/schemas/FindingStatus',
      ],
      [session],
      '200 304 400 401 500 503',
    ],
    [
      '/api/v1/findings/{id}',
      'getFinding',
      ['path id string 1'],
      [session, bearer],
      '200 304 400 401 404 500 503',
    ],
    [
      '/api/v1/prs',
      'listPrs',
      [page, limit, 'query repoId? string', 'query status? #/components/schemas/PrStatus'],
      [session, bearer],
      '200 304 400 401 500 503',
    ],
  ]);
  t.like(document.components.securitySchemes, {
    session: { type: 'apiKey', in: 'cookie', name: 'session' },
    bearer: { type: 'http', scheme: 'bearer' },
  });
});

test('the OpenAPI document has the bounds that the contract implies, and no others', (t) => {
  const { schemas } = document.components;
  const bounded = Object.entries<object>(schemas).flatMap(([name, schema]) =>
    Object.entries<object>(Object(schema).properties ?? {}).flatMap(([field, { ...of }]) => {
      const bounds = Object.entries(of).filter(([key]) => /^(?:min|max)/.test(key));
      return bounds.length === 0 ? [] : [`${name}.${field} ${bounds.flat().join(' ')}`];
    }),
  );
  const envelope = (name: string) => [
    `${name}.items maxItems 100`,
    `${name}.page minimum 1`,
    `${name}.limit minimum 1 maximum 100`,
    `${name}.totalItems minimum 0`,
    `${name}.totalPages minimum 0`,
  ];
  t.deepEqual(bounded, [
    'Repo.openPrCount minimum 0',
    'Repo.openAdvisoryCount minimum 0',
    'LastScan.findingsSeen minimum 0',
    'LastScan.draftsOpened minimum 0',
    ...envelope('FindingPage'),
    'FindingDetail.prCount minimum 0',
    ...envelope('PrPage'),
  ]);
});

test('every decision of this project is marked in the document, and no rule of the contract is', (t) => {
  for (const { path, method } of Object.values(operations)) {
    const {
      'x-triage-decision': decision,
      parameters,
      responses,
    } = document.paths[path][method.toLowerCase()];
    t.is(typeof decision, 'string');
    for (const parameter of parameters) {
      t.is('x-triage-decision' in parameter, parameter.name !== 'id', `${path} ${parameter.name}`);
    }
    for (const [status, response] of Object.entries<object>(responses)) {
      t.is('x-triage-decision' in response, !['200', '401', '404'].includes(status), `${path} ${status}`);
      for (const header of Object.values(Object(response).headers))
        t.true('x-triage-decision' in Object(header));
    }
  }
});

test('every field and parameter has a description, with the decisions that concern it', (t) => {
  const all = [
    ...Object.values(document.components.schemas).flatMap((schema) =>
      Object.values(Object(schema).properties ?? {}),
    ),
    ...Object.values(document.paths).flatMap((path) => Object(path).get.parameters),
  ].filter((each) => !('const' in each));
  t.true(all.length > 70);
  for (const { description, 'x-triage-decision': decision } of all) {
    t.regex(description, /^[A-Z].*[.)…]/);
    if (decision !== undefined) t.true(description.endsWith(`*Our decision:* ${decision}`));
  }
});

test('each answer with a body has an example that the server has sent', (t) => {
  for (const { id, path } of Object.values(operations)) {
    for (const [status, response] of Object.entries<object>(document.paths[path].get.responses)) {
      if (status === '304') continue;
      t.true(
        Object.keys(Object(response).content['application/json'].examples ?? {}).length > 0,
        `${id} ${status}`,
      );
    }
  }
});
