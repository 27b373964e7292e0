import { readFileSync, writeFileSync } from 'node:fs';

/** Writes the version of package.json into the Dockerfile. `npm version` runs this before it commits both. */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const dockerfile = readFileSync('Dockerfile', 'utf8');
writeFileSync('Dockerfile', dockerfile.replace(/^ARG VERSION=.*$/m, `ARG VERSION=${version}`));
