import { datasetRecords } from 'triage-api/storage/conformance';
import { openSqlite } from './sqlite-storage.js';

/** A storage that holds these tenants and nothing else, in memory: what the conformance suite opens. */
export const openForTests = async (datasets) => {
  const { storage, add, close } = openSqlite(':memory:');
  for (const dataset of datasets) add(await datasetRecords(dataset));
  return { storage, close };
};
