import type { NamedSource } from './settings/named-source.js';
import type { ServeSettings } from './settings/serve-settings.js';

/** The database to serve, if any, and what the first line says about the choice. */
export type ChosenSource = Readonly<{
  databaseUrl: string | undefined;
  /** In parentheses, after what is served; empty if there is nothing to say. */
  why: string;
  /** Whether a variable that may be meant for another program had a part in it. */
  isGuess: boolean;
}>;

/** How long a database may take to answer at the start at least, in milliseconds: longer than a request. */
const minTimeLimit = 5000;

/**
 * Chooses what to serve. A database that `DATABASE_URL` alone names is asked whether it has the schema of
 * triage-api: it may belong to another program, whose `.env` is loaded here.
 */
export const chooseSource = async ({
  databaseUrl,
  databaseTimeout,
  source,
}: Pick<ServeSettings, 'databaseUrl' | 'databaseTimeout' | 'source'>): Promise<ChosenSource> => {
  if (databaseUrl === undefined || !source.isGeneric)
    return { databaseUrl, why: inParentheses(source), isGuess: source.ignored !== null };
  const { whyForeign } = await import('./foreign-database.js');
  const foreign = await whyForeign(databaseUrl, Math.max(databaseTimeout, minTimeLimit));
  return foreign === null
    ? { databaseUrl, why: inParentheses(source), isGuess: true }
    : {
        databaseUrl: undefined,
        why: ` (DATABASE_URL is ignored: ${foreign}; set TRIAGE_DATABASE_URL to serve from it)`,
        isGuess: true,
      };
};

const inParentheses = ({ name, ignored }: NamedSource): string => {
  const why = ignored ?? name;
  return why === null ? '' : ` (${why})`;
};
