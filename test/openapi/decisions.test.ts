import test from 'ava';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { documentText } from '../_documented.js';
import { type MarkedPlaces, markedPlaces } from './_marked-places.js';

const document = openApiDocument(readExamples());

/** The rows of docs/decisions.md, each with the places that it names. */
const rows = Array.from(
  documentText('decisions.md').matchAll(/^\| ([^|]+\?) \| ([^|]+) \| ([^|]*) ?\| ([^|]+) \|$/gm),
).map(([, question = '', answer = '', , places = '']) => ({
  question,
  answer,
  places: Array.from(places.matchAll(/`([^`]+)`/g), ([, place = '']) => place),
}));

/** What a list of decisions and a document do not have in common. */
const differences = (places: MarkedPlaces, listed: typeof rows): readonly string[] => {
  const named = new Set(listed.flatMap((row) => row.places));
  return [
    ...listed.flatMap(({ question, places: own }) => (own.length === 0 ? [`no place: ${question}`] : [])),
    ...[...named].filter((place) => !places.has(place)).map((place) => `not marked: ${place}`),
    ...[...places.keys()].filter((place) => !named.has(place)).map((place) => `not listed: ${place}`),
  ];
};

test('each listed decision is marked in the document, and each marked one is listed', (t) => {
  t.true(rows.length > 35);
  t.deepEqual(differences(markedPlaces(document), rows), []);
});

test('a decision that only the list has, and one that only the document has, would be noticed', (t) => {
  const { 'x-triage-decisions': general, ...rest } = document;
  const { ids, ...others } = Object(general);
  t.is(typeof ids, 'string');
  t.deepEqual(differences(markedPlaces({ ...rest, 'x-triage-decisions': others }), rows), [
    'not marked: x-triage-decisions.ids',
  ]);
  t.deepEqual(
    differences(
      markedPlaces(document),
      rows.filter(({ question }) => !question.includes('ETag') && !question.includes('revalidate')),
    ),
    ['not listed: 304', 'not listed: ETag'],
  );
  t.throws(() => markedPlaces({ ...document, info: { 'x-triage-decision': 'Elsewhere.' } }));
});

/** What a place has to say, in words that the list has as well. */
const words: readonly (readonly [place: string, ...words: readonly string[]])[] = [
  ['page', '2^53', '9007199254740991', '`01`'],
  ['limit', '2^53', '9007199254740991', '`01`', '100'],
  ['FindingDetail.prCount', 'whatever their state'],
  ['Repo.openPrCount', '"open"'],
  ['Repo.lastScan', 'greatest id', 'never scanned'],
  ['session', 'seven days'],
  ['x-triage-decisions.ids', '200 characters'],
  ['x-triage-decisions.failureOrder', '404', '405', '401', '400'],
];

for (const [place, ...all] of words) {
  test(`what is decided about ${place} says ${all.join(', ')}`, (t) => {
    const text = markedPlaces(document).get(place) ?? '';
    for (const word of all) t.true(text.includes(word), word);
  });
}

test('people read the general decisions in the description of the document', (t) => {
  const { description } = Object(document.info);
  for (const text of Object.values(Object(document['x-triage-decisions']))) {
    t.true(description.includes(`\n- ${text}`), String(text));
  }
});
