import { UnknownRecord } from 'io-ts';
import { defaultRepo, nameOf } from '../../fixtures/link-rows.js';

/** A row of `repos`, and its name as other rows of a fixture file have it: "owner/name". */
export type NamedRepo = Readonly<{ fields: unknown; fullName: string }>;

/**
 * Names the repositories without a name: "app", "app-2" and so on, so that `many(3, () => repo())` makes
 * three that differ. `name` is that of the tenant.
 */
export const namedRepos = (rows: readonly unknown[], name: string): readonly NamedRepo[] => {
  const given = rows.map((fields) => fullNameOf(fields, name));
  const taken = new Set(given.filter((each) => each !== undefined));
  return rows.map((fields, index) => {
    const fullName = given[index];
    if (fullName !== undefined) return { fields, fullName };
    const owner = textAt(fields, 'owner') ?? defaultRepo(name).owner;
    let [repo, count] = [defaultRepo(name).repo, 1];
    while (taken.has(nameOf({ owner, repo }))) {
      count += 1;
      repo = `${defaultRepo(name).repo}-${count}`;
    }
    taken.add(nameOf({ owner, repo }));
    return {
      fields: count > 1 && UnknownRecord.is(fields) ? { ...fields, repo } : fields,
      fullName: nameOf({ owner, repo }),
    };
  });
};

/** Undefined if the row says no name. Without `owner`, `repo` may be the full name. */
const fullNameOf = (fields: unknown, name: string): string | undefined => {
  const [owner, repo] = [textAt(fields, 'owner'), textAt(fields, 'repo')];
  if (repo === undefined) return undefined;
  return owner === undefined && repo.includes('/')
    ? repo
    : nameOf({ owner: owner ?? defaultRepo(name).owner, repo });
};

/** The text in a field; undefined if there is none. */
export const textAt = (fields: unknown, field: string): string | undefined => {
  const value = UnknownRecord.is(fields) ? fields[field] : undefined;
  return typeof value === 'string' ? value : undefined;
};
