import { gzipSync } from 'node:zlib';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { decodeText } from '../../src/reports/decode-text.js';
import { jsonDocuments } from '../../src/reports/json-documents.js';
import { bytesOf, imported, refused } from './_imported.js';
import { samples } from './_samples.js';

const npm = JSON.stringify(samples['npm audit (npm 7 and later)'], null, 2);

/** UTF-16 with a byte-order mark, unless the text should have none. */
const utf16 = (text: string, isLittle: boolean, mark = '\ufeff'): Uint8Array => {
  const bytes = Buffer.from(`${mark}${text}`, 'utf16le');
  return new Uint8Array(isLittle ? bytes : bytes.swap16());
};

test('UTF-8 and UTF-16 are read, with a byte-order mark or without', (t) => {
  const texts = [
    bytesOf(npm),
    bytesOf(`\ufeff${npm}`),
    utf16(npm, true),
    utf16(npm, false),
    utf16(npm, true, ''),
    utf16(npm, false, ''),
  ];
  for (const bytes of texts) t.deepEqual(decodeText(bytes), E.right(npm));
  t.is(refused(new Uint8Array([0x7b, 0x22, 0xe9, 0x22])), 'is neither UTF-8 nor UTF-16');
  t.is(refused(new Uint8Array([0xff, 0xfe, 0x7b])), 'is not valid UTF-16LE');
  t.is(refused(new Uint8Array(gzipSync(npm))), 'is compressed with gzip; unpack it first');
});

test('lines of a package manager around the JSON are skipped, and counted', (t) => {
  const content = `npm warn config "production"\n[INFO] scanning [1/2]\n[12:00:01] done\n${npm}\nnpm notice New version\n`;
  const { summary } = imported({ file: 'a.json', content });
  t.like(summary.total, { read: 3, findings: 2 });
  t.like(summary.files[0]?.notes[0], { kind: 'lines-skipped', count: 4 });
});

test('documents one after the other are all read, with or without a line break', (t) => {
  for (const content of [`${npm}${npm}`, `${npm}\n${npm}\n`, `\n${npm} ${npm}`]) {
    const { summary } = imported({ file: 'a.json', content });
    t.like(summary.total, { read: 6, findings: 2, merged: 2, leftOut: 2 });
  }
  const alerts = JSON.stringify(samples['Dependabot alerts (REST API or webhook)']);
  t.is(imported({ file: 'a.json', content: `${alerts}[]` }).summary.total.findings, 2);
  t.regex(refused(`${npm}\n{"name": "web"}`), /^JSON document 2 of 2: has no known format/);
});

test('what is no report is refused with what it is', (t) => {
  const rows: readonly (readonly [unknown, string | RegExp])[] = [
    ['', 'is empty; the tool may have failed, or it found nothing and wrote nothing'],
    [' \n', 'is empty; the tool may have failed, or it found nothing and wrote nothing'],
    ['<!doctype html>', 'is not JSON; it begins with "<!doctype html>"'],
    [npm.slice(0, 300), 'is not valid JSON: it ends too early, as if the tool was interrupted'],
    [
      `warning\n${npm.slice(0, 300)}`,
      /^is not valid JSON: it ends too early.* \(in the JSON that begins in line 2\)$/,
    ],
    ['{"a": 1,}', /^is not valid JSON: /],
    [
      { name: 'web', version: '1' },
      /^has no known format: it is an object with the keys "name", "version"; looked for npm audit/,
    ],
    [{}, /^has no known format: it is an empty object; looked for .*; Trivy; /],
    [[1], /^has no known format: it is an array of 1, whose first element is 1; /],
    ['42', /^has no known format: it is 42; /],
    [
      { error: { code: 'ENOAUDIT', summary: 'the endpoint is down', detail: '' } },
      'is an error that a tool has reported, not a report: the endpoint is down',
    ],
    [
      { message: 'Not Found', documentation_url: 'https://docs.github.com' },
      'is an error that a tool has reported, not a report: Not Found',
    ],
    [{ data: null, errors: [{ message: 'bad query' }] }, /not a report: bad query$/],
    [
      '{"type":"info","data":"x"}\n{"type":"error","data":"no network"}',
      /^JSON document 2 of 2: is an error.*no network$/,
    ],
  ];
  for (const [content, expected] of rows) {
    const message = refused(content);
    if (typeof expected === 'string') t.is(message, expected);
    else t.regex(message, expected);
  }
});

test('deep nesting is answered, wherever it is', (t) => {
  const depth = 100_000;
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const objects = `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`;
  for (const content of [deep, objects]) t.regex(refused(content), /^has no known format: /);
  t.regex(refused('['.repeat(depth)), /ends too early/);
  const components = `${'{"name":"a","components":['.repeat(depth)}${']}'.repeat(depth)}`;
  const reports = [
    npm.replace('"isDirect": true', `"isDirect": ${deep}`),
    npm.replace('"range": "<4.17.21"', `"range": ${deep}`),
    `{"bomFormat":"CycloneDX","components":[${components}],"vulnerabilities":${deep}}`,
    `{"version":"2.1.0","runs":[{"tool":{},"results":${deep}}]}`,
    `{"data":{"vulnerabilityAlerts":{"nodes":[{"securityVulnerability":{"package":${deep}}},${deep}]}}}`,
  ];
  for (const content of reports) t.notThrows(() => imported({ file: 'a.json', content }));
});

test('a text of very many small values is refused before it is parsed', (t) => {
  const content = `[${'{},'.repeat(5_000_000)}{}]`;
  t.deepEqual(jsonDocuments(content), E.left('has more than 5000000 values'));
});

test('packages that refer to each other in circles end', (t) => {
  const names = Array.from({ length: 2000 }, (_, index) => `p${index}`);
  const vulnerabilities = Object.fromEntries(
    names.map((name, index) => [
      name,
      { via: [names[(index + 1) % names.length], names[(index * 7) % names.length]] },
    ]),
  );
  const { summary } = imported({ file: 'a.json', content: { auditReportVersion: 2, vulnerabilities } });
  t.like(summary.total, { read: 4000, findings: 0, leftOut: 4000 });
});

test('names of prototypes are names like any other', (t) => {
  const content =
    '{"auditReportVersion":2,"vulnerabilities":{"__proto__":{"via":[{"source":1,"range":"<1"}]},' +
    '"constructor":{"via":[{"source":2,"name":"toString","range":"<1"}]}}}';
  const { complete } = imported({ file: '__proto__', content });
  t.deepEqual(complete.fixDrafts.map((draft) => draft.package).toSorted(), ['__proto__', 'toString']);
  t.is(Object.getPrototypeOf({}), Object.prototype);
  t.false('via' in {});
});
