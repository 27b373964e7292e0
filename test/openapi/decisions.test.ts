import test from 'ava';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { documentText } from '../_documented.js';

/** The name that the list of decisions has for each place that carries our mark, with the decision there. */
type MarkedPlaces = ReadonlyMap<string, string>;

type Part = Readonly<Record<string, unknown>>;

const mark = 'x-triage-decision';

const partsOf = (value: unknown): readonly (readonly [string, Part])[] =>
  Object.entries<unknown>(Object(value)).map(([name, part]) => [name, Object(part)]);

/**
 * The places of an OpenAPI document that say that they are our decision: `Schema.field`, an operation id, the
 * name of a parameter, a header or a security scheme, a status, `other` with the status of a response to
 * another request, and `x-triage-decisions.` with the name of a general one. What several operations have
 * alike is one place. Throws on a mark anywhere else.
 */
const markedPlaces = (document: Part): MarkedPlaces => {
  const { schemas, securitySchemes } = Object(document.components);
  const operations = partsOf(document.paths).map(([, path]) => Object(path.get));
  const others = partsOf(document['x-triage-other-answers']);
  const responses = [...operations.flatMap((operation) => partsOf(operation.responses)), ...others];
  const places = [
    ...partsOf(schemas).flatMap(([schema, { properties }]) =>
      partsOf(properties).map(([field, part]) => [`${schema}.${field}`, part] as const),
    ),
    ...partsOf(securitySchemes),
    ...operations.map((operation) => [String(operation.operationId), operation] as const),
    ...operations.flatMap(({ parameters }) =>
      partsOf(parameters).map(([, parameter]) => [String(parameter.name), parameter] as const),
    ),
    ...operations.flatMap((operation) => partsOf(operation.responses)),
    ...others.map(([status, response]) => [`other ${status}`, response] as const),
    ...responses.flatMap(([, { headers }]) => partsOf(headers)),
  ].filter(([, part]) => mark in part);
  const found = JSON.stringify(document).split(`"${mark}":`).length - 1;
  if (found !== places.length)
    throw new Error(`${found} marks, of which ${places.length} have a known place`);
  const general = Object.entries<unknown>(Object(document['x-triage-decisions']));
  return new Map([
    ...places.map(([name, part]) => [name, String(part[mark])] as const),
    ...general.map(([name, text]) => [`x-triage-decisions.${name}`, String(text)] as const),
  ]);
};

const document = openApiDocument(readExamples());

/** The questions of docs/decisions.md, and where the document marks the answer of each. */
const listed: readonly (readonly [question: string, ...places: readonly string[]])[] = [
  ['Order of findings', 'listFindings'],
  ['Order of pull requests', 'listPrs'],
  ['Repositories scanned at the same moment, or never', 'listConnectedRepos'],
  ['Order of text', 'x-triage-decisions.textOrder'],
  ['A page beyond the last', 'page', 'FindingPage.page', 'PrPage.page', 'listFindings', 'listPrs'],
  ['Pages of an empty list', 'FindingPage.totalPages', 'PrPage.totalPages'],
  ['`limit` above 100', 'limit', 'FindingPage.limit', 'PrPage.limit'],
  [
    '`page` or `limit` is no whole number from 1 to 2^53−1 (`0`, `1.5`, `1e2`, empty)',
    'page',
    'limit',
    '400',
  ],
  ['Leading zeros, as in `page=01`', 'page', 'limit'],
  ['Another value of `severity` or `status`, or other letter case', 'severity', 'status', '400'],
  ['A parameter given twice', 'listFindings', 'listPrs', '400'],
  [
    'An unknown parameter',
    ...'listConnectedRepos listFindings getFinding listPrs X-Triage-Warning 400'.split(' '),
  ],
  ['An empty `repoId`', 'repoId'],
  ['A repository that was never scanned', 'Repo.lastScan', 'Repo.lastScanAt', 'Repo.lastScanRelative'],
  ['A scan that is running', 'LastScan.finishedAt'],
  ['The last scan', 'Repo.lastScan'],
  ['`openFixDraftId`', 'Repo.openFixDraftId'],
  ['`openPrCount`, `hasOpenFixPr`', 'Repo.openPrCount', 'Repo.hasOpenFixPr'],
  ['`openAdvisoryCount`', 'Repo.openAdvisoryCount'],
  ['`prCount`', 'FindingDetail.prCount'],
  [
    '`scanStatusBadge`, `status` of repositories and scans, `ciStatus`, `prState`',
    ...['Repo.scanStatusBadge', 'Repo.status', 'LastScan.status', 'Finding.ciStatus'],
    ...['FindingDetail.ciStatus', 'Pr.ciStatus', 'Pr.prState'],
  ],
  [
    '`reachability`, `exploitSignal`',
    'Finding.reachability',
    'FindingDetail.reachability',
    'Finding.exploitSignal',
    'FindingDetail.exploitSignal',
  ],
  ['`lastScanRelative`', 'Repo.lastScanRelative'],
  ['Length', 'x-triage-decisions.ids'],
  ['`ownerInitial`', 'Repo.ownerInitial'],
  ['Cookie and token in one request', 'bearer'],
  ['Expiry and revocation', 'session', 'bearer'],
  ['Headers of a 401', 'WWW-Authenticate'],
  ['Validity', 'session', 'bearer'],
  ['Names', 'session', 'bearer'],
  ['Several failures at once', 'x-triage-decisions.failureOrder'],
  ['Other paths under `/api`, other letter case, a trailing slash', 'other 404'],
  ['Other methods', 'x-triage-decisions.methods', 'other 405', 'Allow'],
  ['A target with `#`, a backslash, unencoded non-ASCII, or `//` at its start', 'x-triage-decisions.targets'],
  ['`Host` is missing, malformed or repeated', 'x-triage-decisions.host'],
  ['A host that is not allowed', 'x-triage-decisions.allowedHosts'],
  ['Pipelined requests', 'x-triage-decisions.pipelining'],
  ['A fault of the server', '500'],
  ['The storage is away', '503', 'Retry-After'],
  ['Keeping a response', 'Cache-Control'],
  ['Revalidating', 'ETag', '304'],
  ['`Vary`', 'Vary'],
  ['Compression', 'Vary'],
];

/** The first cells of the tables of the page before its examples. */
const questions = Array.from(
  (documentText('decisions.md').split('## Examples')[0] ?? '').matchAll(/^\| (?!question \|)(.*?) \| /gm),
  ([, question = '']) => question,
);

/** What a list of decisions and a document do not have in common. */
const differences = (places: MarkedPlaces, list: typeof listed): readonly string[] => {
  const named = new Set(list.flatMap(([, ...own]) => own));
  return [
    ...[...named].filter((place) => !places.has(place)).map((place) => `not marked: ${place}`),
    ...[...places.keys()].filter((place) => !named.has(place)).map((place) => `not listed: ${place}`),
  ];
};

test('the page has each decision that is listed here', (t) => {
  t.deepEqual(
    questions,
    listed.map(([question]) => question),
  );
});

test('each listed decision is marked in the document, and each marked one is listed', (t) => {
  t.deepEqual(differences(markedPlaces(document), listed), []);
});

test('people read the general decisions in the description of the document', (t) => {
  const { description } = Object(document.info);
  for (const text of Object.values(Object(document['x-triage-decisions']))) {
    t.true(description.includes(`\n- ${text}`), String(text));
  }
});
