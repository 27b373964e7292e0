import sqlite from 'node-sqlite3-wasm';
import * as storage from 'triage-api/storage';

/** Records are kept as JSON; SQLite reads from it what it looks for and sorts by. */
const schema = `
  CREATE TABLE IF NOT EXISTS users (emailKey TEXT UNIQUE, record TEXT, id TEXT AS (record->>'id'));
  CREATE TABLE IF NOT EXISTS sessions (record TEXT, hash TEXT AS (record->>'hash'),
    userId TEXT AS (record->>'userId'), createdAt TEXT AS (record->>'createdAt'),
    expiresAt TEXT AS (record->>'expiresAt'), origin TEXT AS (record->>'origin'));
  CREATE TABLE IF NOT EXISTS apiTokens (record TEXT, hash TEXT AS (record->>'hash'),
    userId TEXT AS (record->>'userId'), id TEXT AS (record->>'id'),
    createdAt TEXT AS (record->>'createdAt'));
  CREATE TABLE IF NOT EXISTS repos (userId TEXT, record TEXT, id TEXT AS (record->>'id'));
  CREATE TABLE IF NOT EXISTS scans (userId TEXT, record TEXT, id TEXT AS (record->>'id'),
    repoId TEXT AS (record->>'repoId'), startedAt TEXT AS (record->>'startedAt'));
  CREATE TABLE IF NOT EXISTS fixDrafts (userId TEXT, record TEXT, id TEXT AS (record->>'id'),
    repoId TEXT AS (record->>'repoId'), discoveredAt TEXT AS (record->>'discoveredAt'));
  CREATE TABLE IF NOT EXISTS pullRequests (userId TEXT, record TEXT, id TEXT AS (record->>'id'),
    draftId TEXT AS (record->>'draftId'), prState TEXT AS (record->>'prState'), status TEXT AS (CASE
      WHEN record->>'prState' IS NULL OR record->>'prState' = 'cancelled' THEN 'closed'
      ELSE record->>'prState' END),
    createdAt TEXT AS (record->>'createdAt'), updatedAt TEXT AS (record->>'updatedAt'));
  CREATE UNIQUE INDEX IF NOT EXISTS userById ON users (id);
  CREATE UNIQUE INDEX IF NOT EXISTS sessionByHash ON sessions (hash);
  CREATE INDEX IF NOT EXISTS sessionsOfUser ON sessions (userId, createdAt);
  CREATE UNIQUE INDEX IF NOT EXISTS apiTokenByHash ON apiTokens (hash);
  CREATE INDEX IF NOT EXISTS apiTokensOfUser ON apiTokens (userId, createdAt);
  CREATE INDEX IF NOT EXISTS reposOfUser ON repos (userId, id);
  CREATE INDEX IF NOT EXISTS scansOfRepo ON scans (userId, repoId, startedAt);
  CREATE UNIQUE INDEX IF NOT EXISTS fixDraftById ON fixDrafts (userId, id);
  CREATE INDEX IF NOT EXISTS fixDraftsInOrder ON fixDrafts (userId, discoveredAt DESC, id);
  CREATE INDEX IF NOT EXISTS fixDraftsOfRepo ON fixDrafts (userId, repoId, discoveredAt DESC, id);
  CREATE INDEX IF NOT EXISTS pullRequestsInOrder ON pullRequests (userId, createdAt DESC, id);
  CREATE INDEX IF NOT EXISTS pullRequestsOfDraft ON pullRequests (userId, draftId);`;

const collections = /** @type {const} */ (['repos', 'scans', 'fixDrafts', 'pullRequests']);

/** Each repository with its derived values, in the order of `compareRepos`. */
const reposOf = `
  WITH open AS (SELECT p.id, p.draftId, p.updatedAt, d.repoId
    FROM pullRequests p JOIN fixDrafts d ON d.userId = p.userId AND d.id = p.draftId
    WHERE p.userId = :userId AND p.prState = 'open')
  SELECT record AS repo,
    (SELECT record FROM scans WHERE userId = :userId AND repoId = repos.id
      ORDER BY startedAt DESC, id DESC LIMIT 1) AS lastScan,
    (SELECT count(*) FROM open WHERE repoId = repos.id) AS openPrCount,
    (SELECT draftId FROM open WHERE repoId = repos.id ORDER BY updatedAt DESC, id LIMIT 1) AS openFixDraftId,
    (SELECT count(DISTINCT record->>'advisoryId') FROM fixDrafts
      WHERE userId = :userId AND repoId = repos.id AND record->>'status' <> 'resolved') AS openAdvisoryCount
  FROM repos WHERE userId = :userId ORDER BY lastScan->>'startedAt' DESC, id`;

const findingsOf = `FROM fixDrafts WHERE userId = :userId AND (:repoId IS NULL OR repoId = :repoId)`;

const pullRequestsOf = `
  FROM pullRequests p JOIN fixDrafts d ON d.userId = p.userId AND d.id = p.draftId
    JOIN repos r ON r.userId = p.userId AND r.id = d.repoId
  WHERE p.userId = :userId AND (:repoId IS NULL OR d.repoId = :repoId) AND (:status IS NULL OR p.status = :status)`;

const { left, right } = storage;

/** A row's record. */
const parsed = (record) => (record == null ? null : JSON.parse(record));

/** Opens a database, an empty one if the file does not exist. */
export const openSqlite = (file) => {
  const db = new sqlite.Database(file);
  db.exec(`PRAGMA busy_timeout = 1000; ${schema}`);
  // A text ends at U+0000 there, which no stored text contains: an empty blob is equal to none of them.
  const value = (given) => (String(given).includes('\0') ? new Uint8Array() : (given ?? null));
  const bound = (values) => Object.fromEntries(Object.entries(values).map(([k, v]) => [`:${k}`, value(v)]));
  const all = (sql, values) => db.all(sql, bound(values));
  const one = (sql, values) => all(sql, values)[0];
  const run = (sql, values) => db.run(sql, bound(values)).changes;
  const record = (sql, values) => parsed(one(sql, values)?.record);

  /** An operation whose errors are values. */
  const operation = async (work) => {
    try {
      return work();
    } catch (cause) {
      const isBusy = /locked|busy/i.test(String(cause));
      return left({ _tag: isBusy ? 'StorageUnavailable' : 'StorageFailed', cause });
    }
  };
  /** One that changes everything or nothing. */
  const write = (work) =>
    operation(() => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (cause) {
        db.exec('ROLLBACK');
        throw cause;
      }
    });
  const tokenWith = (hash) => record('SELECT record FROM apiTokens WHERE hash = :hash', { hash });
  const callerOf = ({ session, apiToken, at }) =>
    storage.resolveCaller(
      record('SELECT record FROM sessions WHERE hash = :session', { session }),
      tokenWith(apiToken),
      at,
    );
  /** One that reads rows of the caller. */
  const read = (credentials, work) =>
    operation(() => {
      const { apiToken, at } = credentials;
      const caller = callerOf(credentials);
      if (caller === null) return left({ _tag: 'Unauthorized' });
      const token = tokenWith(apiToken);
      if (token !== null && storage.isApiTokenValid(token, at) && storage.shouldRecordUse(token, at)) {
        run(`UPDATE apiTokens SET record = json_set(record, '$.lastUsedAt', :at) WHERE hash = :apiToken`, {
          at,
          apiToken,
        });
      }
      return right({ caller, version: null, rows: work(caller.userId) });
    });

  const userOf = (userId) => record('SELECT record FROM users WHERE id = :userId', { userId });
  const addUser = (user, rows) => {
    run('INSERT INTO users VALUES (:key, :record)', {
      key: storage.emailKey(user.email),
      record: JSON.stringify(user),
    });
    for (const name of collections) {
      for (const row of rows[name]) {
        run(`INSERT INTO ${name} VALUES (:userId, :record)`, {
          userId: user.id,
          record: JSON.stringify(row),
        });
      }
    }
  };
  const endSession = (hash) => run('DELETE FROM sessions WHERE hash = :hash', { hash });
  const insertSession = (session) =>
    run('INSERT INTO sessions VALUES (:record)', { record: JSON.stringify(session) });
  /** Above the limit, the oldest session of the origin with most of them ends. */
  const addSession = (session) => {
    const { userId, createdAt, origin } = session;
    const live = 'FROM sessions WHERE userId = :userId AND expiresAt > :createdAt';
    const { count } = one(`SELECT count(*) AS count ${live}`, { userId, createdAt });
    run(
      `DELETE FROM sessions WHERE rowid IN (SELECT rowid ${live}
         ORDER BY count(*) OVER (PARTITION BY origin) + (origin IS :origin) DESC, createdAt, rowid LIMIT :surplus)`,
      { userId, createdAt, origin, surplus: Math.max(0, count + 1 - storage.maxSessions) },
    );
    insertSession(session);
  };
  const tokensOf = (userId) =>
    all('SELECT record FROM apiTokens WHERE userId = :userId ORDER BY createdAt DESC', { userId }).map(
      (row) => parsed(row.record),
    );
  const insertToken = (token) =>
    run('INSERT INTO apiTokens VALUES (:record)', { record: JSON.stringify(token) });

  /** A page of a list and the number of all its rows. */
  const slice = (columns, from, order, values, { offset, limit }, toRow) => ({
    rows: all(`SELECT ${columns} ${from} ORDER BY ${order} LIMIT :limit OFFSET :offset`, {
      ...values,
      limit,
      offset,
    }).map(toRow),
    total: one(`SELECT count(*) AS total ${from}`, values).total,
  });

  return {
    close: () => db.close(),
    /** Adds a tenant, such as `datasetRecords` of the conformance suite makes of a fixture. */
    add: ({ user, sessions, apiTokens, rows }) => {
      addUser(user, rows);
      sessions.forEach(insertSession);
      apiTokens.forEach(insertToken);
    },
    storage: {
      ready: () => operation(() => right(one('SELECT 1', {}) && undefined)),
      caller: (credentials) =>
        operation(() => {
          const caller = callerOf(credentials);
          return caller === null ? left({ _tag: 'Unauthorized' }) : right(caller);
        }),
      userByEmail: (email) =>
        operation(() =>
          right(record('SELECT record FROM users WHERE emailKey = :key', { key: storage.emailKey(email) })),
        ),
      user: ({ userId }) =>
        operation(() => {
          const user = userOf(userId);
          return right(user && { id: user.id, email: user.email, name: user.name });
        }),
      signUp: ({ user, session, rows }, ended) =>
        write(() => {
          if (one('SELECT 1 FROM users WHERE emailKey = :key', { key: storage.emailKey(user.email) })) {
            return left({ _tag: 'EmailTaken' });
          }
          addUser(user, rows);
          endSession(ended);
          insertSession(session);
          return right(undefined);
        }),
      changePassword: ({ userId }, { from, to, session }) =>
        write(() => {
          if (userOf(userId)?.passwordHash !== from) return right(false);
          run(`UPDATE users SET record = json_set(record, '$.passwordHash', :to) WHERE id = :userId`, {
            to,
            userId,
          });
          run('DELETE FROM sessions WHERE userId = :userId', { userId });
          insertSession(session);
          return right(true);
        }),
      deleteAccount: ({ userId }) =>
        write(() => {
          for (const table of [...collections, 'sessions', 'apiTokens']) {
            run(`DELETE FROM ${table} WHERE userId = :userId`, { userId });
          }
          return right(run('DELETE FROM users WHERE id = :userId', { userId }) > 0);
        }),
      startSession: (session, ended) =>
        write(() => {
          if (userOf(session.userId) === null) return right(undefined);
          endSession(ended);
          addSession(session);
          return right(undefined);
        }),
      endSession: (hash) =>
        write(() => {
          endSession(hash);
          return right(undefined);
        }),
      apiTokens: ({ userId }) => operation(() => right(tokensOf(userId).map(storage.apiTokenProfile))),
      addApiToken: (token) =>
        write(() => {
          if (userOf(token.userId) === null) return left({ _tag: 'Unauthorized' });
          const own = tokensOf(token.userId);
          const inactive = own.filter((each) => !storage.isApiTokenValid(each, token.createdAt));
          if (own.length - inactive.length >= storage.maxActiveApiTokens) {
            return left({ _tag: 'TooManyApiTokens' });
          }
          // The oldest are last.
          for (const { hash } of inactive.slice(inactive.length - (own.length + 1 - storage.maxApiTokens))) {
            run('DELETE FROM apiTokens WHERE hash = :hash', { hash });
          }
          insertToken(token);
          return right(undefined);
        }),
      revokeApiToken: ({ userId }, id, at) =>
        write(() => {
          const token = tokensOf(userId).find((each) => each.id === id);
          if (token === undefined) return right(false);
          if (token.revokedAt === null || token.revokedAt > at) {
            run(`UPDATE apiTokens SET record = json_set(record, '$.revokedAt', :at) WHERE hash = :hash`, {
              at,
              hash: token.hash,
            });
          }
          return right(true);
        }),
      repos: (credentials) =>
        read(credentials, (userId) =>
          all(reposOf, { userId }).map(({ repo, lastScan, ...derived }) => ({
            ...derived,
            repo: parsed(repo),
            lastScan: parsed(lastScan),
          })),
        ),
      findings: (credentials, { repoId, ...range }) =>
        read(credentials, (userId) =>
          slice('record', findingsOf, 'discoveredAt DESC, id', { userId, repoId }, range, (row) =>
            parsed(row.record),
          ),
        ),
      finding: (credentials, id) =>
        read(credentials, (userId) => {
          const draft = record('SELECT record FROM fixDrafts WHERE userId = :userId AND id = :id', {
            userId,
            id,
          });
          const { prCount } = one(
            'SELECT count(*) AS prCount FROM pullRequests WHERE userId = :userId AND draftId = :id',
            { userId, id },
          );
          return draft && { draft, prCount };
        }),
      prs: (credentials, { repoId, status, ...range }) =>
        read(credentials, (userId) =>
          slice(
            'p.record AS pullRequest, d.record AS draft, r.record AS repo',
            pullRequestsOf,
            'p.createdAt DESC, p.id',
            { userId, repoId, status },
            range,
            ({ pullRequest, draft, repo }) => ({
              pullRequest: parsed(pullRequest),
              draft: parsed(draft),
              repo: parsed(repo),
            }),
          ),
        ),
    },
  };
};

export default storage.defineStorage(() => openSqlite(process.env.SQLITE_FILE ?? 'triage.sqlite'));
