import pg from 'pg';

/** Why the roles cannot be set up; the message says what to do. */
export class RolesRefused extends Error {}

/** Whether the current role lacks a right. */
export const isDenied = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '42501';
