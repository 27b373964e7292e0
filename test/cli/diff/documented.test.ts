import test from 'ava';
import { DiffReport } from '../../../src/contract-tools/diff.js';
import { assertDecodes } from '../../_codecs.js';
import { block, documentText } from '../../_documented.js';
import { run, sharedServer } from '../_cli.js';

const page = documentText('verify.md');

const frozen = ['--log-level', 'silent', '--now', '2026-11-20T12:00:00Z'];
const left = sharedServer(test, frozen);
const right = sharedServer(test, [...frozen, '--strict']);

test('the JSON report of diff is what the page shows, and of the form of its codec', async (t) => {
  const urls: Readonly<Record<string, string>> = {
    'http://127.0.0.1:4000': left().url,
    'http://127.0.0.1:4001': right().url,
  };
  const words = block(page, 'sh diff').trim().split(' ').slice(1);
  const { out } = await run(words.map((word) => urls[word] ?? word));
  const shown: unknown = JSON.parse(block(page, 'json diff'));
  assertDecodes(t, DiffReport, shown);
  t.deepEqual(JSON.parse(out), { ...Object(shown), left: left().url, right: right().url });
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
