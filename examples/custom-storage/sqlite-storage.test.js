import test from 'node:test';
import { storageConformance } from 'triage-api/storage/conformance';
import { openForTests } from './open-for-tests.js';

for (const { name, run } of storageConformance(openForTests)) test(name, run);
