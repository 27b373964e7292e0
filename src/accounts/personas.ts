import * as t from 'io-ts';
import type { DemoTemplate } from './demo-rows.js';

/** The rows of a tenant, which a visitor may choose for a new account instead of the usual demo rows. */
export type Persona = Readonly<{
  name: string;
  repos: number;
  findings: number;
  /** The rows, dated for the given moment. */
  rows: (now: number) => DemoTemplate;
}>;

/** Which personas visitors may choose now; null: the operator allows none, and sign-up has no such field. */
export type Personas = () => readonly Persona[] | null;

/** No persona may be chosen. */
export const noPersonas: Personas = () => null;

/**
 * The field in which visitors name a persona. Null: the usual demo rows, for a field that is left out, null
 * or empty.
 */
export const personaField = (allowed: readonly Persona[]): t.Type<Persona | null, unknown, unknown> => {
  const names = allowed.map(({ name }) => name).join(', ');
  return new t.Type<Persona | null, unknown, unknown>(
    allowed.length === 0
      ? 'nothing, as there is no persona to choose now'
      : `the name of a persona (${names}), or nothing`,
    (u): u is Persona | null => u === null || allowed.some((persona) => persona === u),
    (u, c) => {
      if (u === undefined || u === null || u === '') return t.success(null);
      const chosen = allowed.find(({ name }) => name === u);
      return chosen === undefined ? t.failure(u, c) : t.success(chosen);
    },
    t.identity,
  );
};
