import type { Engine } from './citus/engine.js';

/** The statements that write the rows of a tenant. On Citus, the tenant's worker carries them out. */
export type ImportCalls = Readonly<{ addRows: string; recount: string; deleteRows: string | null }>;

export const importCalls: Readonly<Record<Engine, ImportCalls>> = {
  single: {
    addRows: 'SELECT triage.add_rows($1, $2)',
    recount: 'SELECT triage.recount($1)',
    deleteRows: null,
  },
  citus: {
    addRows: 'SELECT triage.tenant_import_rows($1, $2)',
    recount: 'SELECT triage.tenant_recount($1)',
    deleteRows: 'SELECT triage.tenant_delete_rows($1, 2147483647)',
  },
};
