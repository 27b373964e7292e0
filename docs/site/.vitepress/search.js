/**
 * How the search box finds sections. A status such as 503 has no neighbours: only longer words may be
 * misspelt.
 */
export const search = {
  searchOptions: {
    combineWith: 'AND',
    fuzzy: (term) => (term.length > 5 && !/\d/.test(term) ? 0.2 : false),
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    // Whoever uses it comes before whoever runs it or changes it. The theme takes the text of this function alone.
    boostDocument: (id) =>
      /\/(?:deploy|postgres|operations|security|architecture|decisions|performance|storage)(?:#|$)/.test(id)
        ? 0.3
        : 1,
  },
};
