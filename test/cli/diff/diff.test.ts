import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { DiffReport } from '../../../src/verify/diff.js';
import { assertDecodes } from '../../_codecs.js';
import { block, documentText } from '../../_documented.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { run, sharedServer } from '../_cli.js';

const quiet = ['--log-level', 'silent', '--now', '2026-11-20T12:00:00Z'];
/** Servers that all tests share. */
const left = sharedServer(test, quiet);
const strict = sharedServer(test, [...quiet, '--strict']);

/** Compares the first server, as one tenant, with another one. */
const diff = (other: string, ...words: readonly string[]) => {
  const acme = ['--session', 'acme-session', '--token', 'acme-token', '--rate', '1000'];
  return run(['diff', '--left', left().url, '--right', other, ...acme, ...words]);
};

test('diff exits with 0 if servers differ only in their data and where the contract is silent', async (t) => {
  const directory = await directoryWith(t, {});
  const json = join(directory, 'diff.json');
  const demo = ['--right-session', 'demo-session', '--right-token', 'demo-token'];
  const { code, out } = await diff(strict().url, '--json', json, ...demo);
  t.is(code, 0, out);
  const [head, decision] = out.split('\n');
  t.is(head, 'Decisions that the contract leaves open');
  t.is(
    decision,
    '  an unknown parameter: 2 responses, such as 200 on the left and 400 on the right in GET /api/v1/findings?triage-api-diff-none=1 (cookie: session)',
  );
  t.regex(
    out,
    /\nPossibly due to the data\n {2}note \/\*\/lastScan: .*null or object on the left and object on the right/,
  );
  t.regex(out, /requests compared: no differences\n$/);
  const report: unknown = JSON.parse(await readFile(json, 'utf8'));
  assertDecodes(t, DiffReport, report);
});

test('a run that --max-requests ends reports what was compared: exit code 1', async (t) => {
  const { code, out, err } = await diff(left().url, '--max-requests', '5');
  t.is(code, 1);
  t.regex(out, /^5 requests compared: no differences so far\n/);
  t.regex(err, /^stopped: 5 requests \(--max-requests\) to the left server were not enough\n$/);
});

const page = documentText('verify.md');

test('the JSON report of diff is what the page shows, and of the form of its codec', async (t) => {
  const urls: Readonly<Record<string, string>> = {
    'http://127.0.0.1:4000': left().url,
    'http://127.0.0.1:4001': strict().url,
  };
  const words = block(page, 'sh diff').trim().split(' ').slice(1);
  const { out } = await run(words.map((word) => urls[word] ?? word));
  const shown: unknown = JSON.parse(block(page, 'json diff'));
  assertDecodes(t, DiffReport, shown);
  t.deepEqual(JSON.parse(out), { ...Object(shown), left: left().url, right: strict().url });
});

test('the page explains every field of the report', (t) => {
  const [, fields = ''] = page.split('### The report for programs');
  const explained = new Set(Array.from(fields.matchAll(/`(\w+)`(?=.*\|.*\|)/g), ([, name]) => name));
  const { differences, left: _left, right: _right, ...others } = DiffReport.type.props;
  const names = [...Object.keys(others), ...Object.keys(differences.type.type.props)];
  t.deepEqual(
    names.filter((name) => !explained.has(name)),
    [],
  );
});
