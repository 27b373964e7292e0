import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { Refused } from './roles.js';
import { migrationsFolder } from './schema.js';

/** Distributes the tables of the schema, in the transaction that has created or found them. */
export const distribute = async (client: pg.ClientBase): Promise<void> => {
  // Citus accepts no other statement beside one that it sends as text. Bodies of functions are indented.
  const statements = (await readFile(`${migrationsFolder}/citus.sql`, 'utf8')).split(/;\n(?!BEGIN|END| {2})/);
  for (const statement of statements) await client.query(statement);
};

/** Rejects with `Refused` unless this connection can distribute tables to workers. */
export const requireCitus = async (client: pg.ClientBase): Promise<void> => {
  const { rows: found } = await client.query(
    `SELECT e.extversion AS version, string_to_array(split_part(e.extversion, '-', 1), '.')::int[] < '{12,1}' AS "isOlder",
       r.rolsuper AS "isSuperuser", current_user AS name
     FROM pg_roles r LEFT JOIN pg_extension e ON e.extname = 'citus' WHERE r.rolname = current_user`,
  );
  const { version, isOlder, isSuperuser, name } = found[0];
  if (version === null)
    throw new Refused(
      'the extension citus is not installed in this database; install Citus on the coordinator and on each worker, ' +
        'add it to shared_preload_libraries, and run on each of them, in this database: CREATE EXTENSION citus',
    );
  if (isOlder === true)
    throw new Refused(`the version of the extension citus is ${version}; it must be 12.1 or later`);
  if (isSuperuser !== true)
    throw new Refused(
      `the role ${name} is not a superuser; migrations of a distributed database need one, ` +
        'because they create the schema on every node',
    );
  const { rows: nodes } = await client.query(
    `SELECT citus_is_coordinator() AS "isCoordinator",
       (SELECT count(*)::integer FROM pg_dist_node n
        WHERE n.isactive AND n.noderole = 'primary' AND n.shouldhaveshards) AS count`,
  );
  const { isCoordinator, count } = nodes[0];
  if (count === 0)
    throw new Refused(
      "there are no workers; add each of them on the coordinator: SELECT citus_add_node('host', port)",
    );
  if (isCoordinator !== true)
    throw new Refused('this server is a worker; run the command with the URL of the coordinator');
};
