/** The trace that a request belongs to, and the operation of the caller that sent it. */
export type TraceContext = Readonly<{ traceId: string; parentId: string }>;

/** Ids of zeros alone and the version ff are invalid. Only versions after 00 may go on after the flags. */
const traceparent =
  /^(?!ff)(?!00.{53}.)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** Reads the header `traceparent` (W3C Trace Context, section 3.2); null if it is missing or invalid. */
export const traceContext = (header: string | readonly string[] | undefined): TraceContext | null => {
  // As in most requests.
  if (typeof header !== 'string') return null;
  const [, traceId, parentId] = traceparent.exec(header) ?? [];
  return traceId === undefined || parentId === undefined ? null : { traceId, parentId };
};
