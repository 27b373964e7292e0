import type * as t from 'io-ts';
import type { FixtureFile } from './fixture-file.js';

type Encoded = t.OutputOf<typeof FixtureFile>;
type Partly<A> = { readonly [K in keyof A]?: A[K] };
type Row<K extends keyof Encoded> = NonNullable<Encoded[K]> extends readonly (infer A)[] ? A : never;
type Finding = Omit<Partly<Row<'findings'>>, 'pullRequest'> &
  Readonly<{ pullRequest?: Partly<NonNullable<Row<'findings'>['pullRequest']>> | undefined }>;

/**
 * The content of a fixture file: one tenant. Everything may be left out, and is then completed;
 * docs/fixtures.md explains each field.
 */
export type FixtureData = Partly<
  Readonly<{
    $schema: string | undefined;
    extends: string | undefined;
    remove: readonly string[] | undefined;
    asOf: string | undefined;
    user: Partly<NonNullable<Encoded['user']>> | undefined;
    sessions: readonly (Partly<Row<'sessions'>> & Pick<Row<'sessions'>, 'value'>)[] | undefined;
    apiTokens: readonly (Partly<Row<'apiTokens'>> & Pick<Row<'apiTokens'>, 'token'>)[] | undefined;
    repos: readonly Partly<Row<'repos'>>[] | undefined;
    scans: readonly Partly<Row<'scans'>>[] | undefined;
    findings: readonly Finding[] | undefined;
    fixDrafts: readonly Finding[] | undefined;
    pullRequests: readonly Partly<Row<'pullRequests'>>[] | undefined;
  }>
>;
