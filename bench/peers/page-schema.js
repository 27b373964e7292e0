const text = { type: 'string' };
const number = { type: 'number' };

/** A page of findings as JSON schema, as one would write it for Fastify by hand. */
export const pageSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          repoId: text,
          advisoryId: text,
          package: text,
          ecosystem: text,
          vulnerableRange: text,
          fixedRange: text,
          severity: text,
          reachability: number,
          exploitSignal: number,
          status: text,
          ciStatus: text,
          discoveredAt: text,
          updatedAt: text,
          reconciledAt: { type: ['string', 'null'] },
        },
      },
    },
    page: { type: 'integer' },
    limit: { type: 'integer' },
    totalItems: { type: 'integer' },
    totalPages: { type: 'integer' },
  },
};
