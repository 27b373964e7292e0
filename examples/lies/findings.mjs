/** A page of findings as lines of text. */
export const findingLines = async ({ url, session }, page = 1) => {
  const answer = await fetch(`${url}/api/v1/findings?limit=2&page=${page}`, {
    headers: { Cookie: `session=${session}` },
  });
  if (answer.status === 401) return ['Please log in'];
  const { items, totalPages } = await answer.json();
  const lines = items.map(({ package: name, severity, status, reconciledAt }) =>
    [name, severity, status, reconciledAt === null ? 'new' : reconciledAt.slice(0, 10)].join(' '),
  );
  return page < totalPages ? [...lines, 'More'] : lines;
};
