/** A database as it can be shown: where it is and what it is called, without who asks and the password. */
export const databaseName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host || 'this machine'}${pathname}`;
};
