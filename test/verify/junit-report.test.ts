import test from 'ava';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { junitReport } from '../../src/verify/junit-report.js';
import { nastyReport } from './_report.js';

type Element = Readonly<{ name: string; attributes: SaxesTagPlain['attributes'] }>;

/** The elements of a document. Throws if it is not well-formed. */
const parse = (xml: string): readonly Element[] => {
  const elements: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes }));
  parser.write(xml).close();
  return elements;
};

test('the JUnit report is well-formed, and its counts match its test cases', async (t) => {
  const report = await nastyReport(t);
  const elements = parse(junitReport(report));
  const count = (name: string): number => elements.filter((element) => element.name === name).length;
  const [root] = elements;
  t.is(root?.name, 'testsuites');
  t.is(Number(root?.attributes.tests), count('testcase'));
  t.is(Number(root?.attributes.failures), count('failure'));
  t.is(Number(root?.attributes.skipped), count('skipped'));
  t.is(Number(root?.attributes.errors), 0);
  t.is(count('failure'), report.must.failed);
  t.true(count('failure') > 0 && count('skipped') > 0);
  const suites = elements.filter(({ name }) => name === 'testsuite');
  t.is(
    suites.reduce((sum, { attributes }) => sum + Number(attributes.tests), 0),
    count('testcase'),
  );
  const stopped = parse(junitReport({ ...report, stopped: 'gone <away>' }));
  t.is(stopped.find(({ name }) => name === 'error')?.attributes.message, 'gone <away>');
  t.throws(() => parse('<a b="<"/>'), undefined, 'the parser is strict');
});
