import type { Backend } from '../../server/start-server.js';

/** A backend with what `serve` does around it. */
export type ServeBackend = Backend &
  Readonly<{
    /** The lines to print before the server listens. */
    banner: (baseUrl: string) => readonly string[];
    /** What anyone who can reach the server can do; null if it needs no warning. */
    exposureRisk: string | null;
    /** Starts work in the background. To be called once the server listens. */
    onListening: () => void;
    /** Resolves if the server has to stop after all. One line for each reason. */
    fatalError: Promise<readonly string[]>;
  }>;
