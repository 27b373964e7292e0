import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { fixtureText } from '../../fixtures/fixture-format.js';
import { readJsonFile } from '../../fixtures/json-file.js';
import type { Fixture } from '../../fixtures/read-fixtures.js';
import { Dataset } from '../../records/dataset.js';
import { completeDatasetOf } from '../../records/validate-dataset.js';

/** The completed content of a valid file. What is complete keeps even the order of its keys. */
export const completedText = async ({ file, dataset }: Fixture): Promise<string> => {
  const json = await readJsonFile(file);
  const content = E.isRight(json) ? json.right.content : undefined;
  if (UnknownRecord.is(content) && completeDatasetOf(content) !== null) return fixtureText(content);
  return fixtureText(Dataset.encode(dataset));
};
