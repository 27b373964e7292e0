import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseLoadTool, type LoadTool } from '../load-tool.js';
import { chooseProcessors, type Processors } from '../processors.js';
import type { SectionContext } from '../section.js';
import { type ServerProcess, startTriageApi } from '../server-process.js';
import { withTemporaryDirectory } from '../temporary-directory.js';
import { writeServedFixture } from './served-fixture.js';

/** What the sections that send requests have in common. */
export type Setup = Readonly<{
  /** For files that end with the section. */
  directory: string;
  processors: Processors;
  tool: LoadTool;
  /** Stops a server at the end of the section. */
  until: (server: ServerProcess) => ServerProcess;
}>;

/** Runs a section with a directory and a load tool, and stops its servers at the end. */
export const withSetup = <A>(
  { print, unbound }: SectionContext,
  work: (setup: Setup) => Promise<A>,
): Promise<A> =>
  withTemporaryDirectory(async (directory) => {
    const servers: ServerProcess[] = [];
    try {
      const processors = unbound ? null : chooseProcessors();
      const tool = chooseLoadTool(directory, processors);
      print(
        `load by ${tool.name}; ${processors === null ? 'no processor is reserved' : `servers on processor ${processors.server}, load on ${processors.load}`}`,
      );
      const until = (server: ServerProcess): ServerProcess => {
        servers.push(server);
        return server;
      };
      return await work({ directory, processors, tool, until });
    } finally {
      await Promise.all(servers.map(({ stop }) => stop()));
    }
  });

/** `triage-api serve` twice, over the same data: without an access log, and with one that goes to a file. */
export const startOurs = async ({
  directory,
  processors,
  until,
}: Setup): Promise<Readonly<{ silent: ServerProcess; logging: ServerProcess }>> => {
  const words = ['--fixtures', await writeServedFixture(directory)];
  const options = { processor: processors?.server, quiet: true };
  const log = await open(join(directory, 'access.log'), 'w');
  try {
    return {
      silent: until(await startTriageApi(words, options)),
      logging: until(await startTriageApi([...words, '--log-level', 'info'], { ...options, stdout: log.fd })),
    };
  } finally {
    await log.close();
  }
};
