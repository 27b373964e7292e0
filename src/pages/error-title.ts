const titles: ReadonlyMap<number, string> = new Map([
  [400, 'Bad request'],
  [401, 'Login required'],
  [403, 'Request refused'],
  [404, 'Page not found'],
  [405, 'Method not allowed'],
  [409, 'Conflict'],
  [413, 'Content too large'],
  [415, 'Unsupported content'],
  [421, 'Unknown host'],
  [429, 'Too many requests'],
  [500, 'Something went wrong'],
  [503, 'Service unavailable'],
]);

/** The heading of the page of an error. */
export const errorTitle = (status: number): string => titles.get(status) ?? 'That did not work';
