import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import { defineCommand } from './define-command.js';
import { displayPath, schemaPathFrom, shellCommand, shippedSchema } from './output/text.js';
import { type NewFile, writeFilesTogether } from './output/write-files.js';
import { flag } from './settings/option.js';
import { exitCode, fail } from './terminal/terminal.js';

/** `triage-api init`: writes a first fixture and a README that explains it, and prints what to do next. */
export const initCommand = defineCommand({
  name: 'init',
  description: 'write a first fixture file to a directory, with a README that explains it',
  argument: ['<dir>', 'directory to write to; it is created if missing'],
  options: {
    force: flag('--force', 'overwrite existing files, or add to existing fixtures', { notInFile: true }),
  },
  examples: {
    'write a first fixture file': 'triage-api init my-fixtures',
    'write it again, over the old one': 'triage-api init my-fixtures --force',
  },
  run: async ({ settings: { force }, terminal, words: [path = ''] }) => {
    const directory = displayPath(path);
    const others = force ? [] : await fixturesIn(directory);
    if (others.length > 0)
      return fail(terminal, [
        `${directory} already has ${others.join(', ')}, and every *.json file is read as a tenant; ` +
          'choose another directory, or pass --force',
      ]);

    const serve = ['serve', '--fixtures', directory];
    const script = `"triage": ${JSON.stringify(shellCommand(serve).replace(/^npx /, ''))}`;
    const check = shellCommand(['check', directory]);
    const complete = shellCommand(['check', '--complete', join(directory, `${starterName}.json`)]);
    const readme = starterReadme({ serve: shellCommand(serve), check, complete, script });
    const { reference, files } = await schemaReference(directory);
    const contents = [
      { file: join(directory, `${starterName}.json`), pieces: [starterFixture(reference)] },
      { file: join(directory, 'README.md'), pieces: [readme] },
      ...files,
    ];
    const result = await writeFilesTogether(contents, { force, pid: terminal.pid });
    if (E.isLeft(result)) return fail(terminal, result.left);
    for (const { file } of contents) terminal.out(`wrote ${file}`);
    const next = [
      '',
      'Check and serve it:',
      `  ${check}`,
      `  ${shellCommand(serve)}`,
      '',
      'While it is served, in another shell:',
      `  curl -H 'Authorization: Bearer ${starterName}-token' http://127.0.0.1:4000/api/v1/prs`,
      '',
      'As a script in package.json:',
      `  ${script}`,
    ];
    for (const line of next) terminal.out(line);
    return exitCode.done;
  },
});

/**
 * The reference of a fixture to its schema: that of this package, else a copy. The copy is in a folder of its
 * own, because every JSON file beside a fixture is read as one: `files` has it.
 */
const schemaReference = async (
  directory: string,
): Promise<Readonly<{ reference: string; files: readonly NewFile[] }>> => {
  const shipped = schemaPathFrom(directory);
  if (shipped !== null) return { reference: shipped, files: [] };
  const copy = 'schema/fixture.schema.json';
  return {
    reference: `./${copy}`,
    files: [{ file: join(directory, copy), pieces: [await readFile(shippedSchema, 'utf8')] }],
  };
};

/** The name of the tenant that `init` writes. Its credentials are made from it. */
const starterName = 'team';

/** A sparse fixture that shows the most important fields. */
const starterFixture = (schema: string): string =>
  `{
  "$schema": ${JSON.stringify(schema)},
  "findings": [
    { "repo": "team/web", "package": "lodash", "severity": "high", "pullRequest": { "prState": "open" } },
    { "repo": "team/web", "package": "minimist", "status": "escalated" },
    { "repo": "team/web", "package": "axios", "status": "resolved", "pullRequest": { "prState": "merged" } },
    { "repo": "team/api", "package": "requests" }
  ]
}
`;

type Commands = 'serve' | 'check' | 'complete' | 'script';

/** Explains the parts of the fixture, because JSON has no comments. */
const starterReadme = ({ serve, check, complete, script }: Readonly<Record<Commands, string>>): string =>
  `# Mock data for triage-api

Each JSON file here is a tenant: a user, and what this user sees. What a file leaves out is completed, the same each time.

- \`$schema\`: your editor completes and explains every key with it; the server does not need it.
- \`findings\`: a vulnerable \`package\` of a \`repo\`. Add \`severity\`, \`status\`, or any other field of the API that matters to you.
- \`pullRequest\`: the fix of a finding. \`prState\` is "open", "merged", "closed", "cancelled", null or any other text.
- Sign in as \`user@${starterName}.test\` with \`${starterName}-password\`. In requests: \`Cookie: session=${starterName}-session\` or \`Authorization: Bearer ${starterName}-token\`.
- Serve it: \`${serve}\`; changes are served as soon as you save them.
- Check it: \`${check}\`. Print it with all that is completed: \`${complete}\`.
- As a script in package.json: \`${script}\`.
`;

/** The first few files of a directory that would be read as fixtures; none if it cannot be read. */
const fixturesIn = async (directory: string): Promise<readonly string[]> => {
  const names = await readdir(directory).catch((): readonly string[] => []);
  return names.filter((name) => name.endsWith('.json') && !/^[._]/.test(name)).slice(0, 3);
};
