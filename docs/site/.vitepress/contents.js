/**
 * The table of contents of docs/README.md as the side bar: a group for each second-level heading, a page for
 * each item of the list below it.
 */
export const contents = (text) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.split('\n')[0],
      items: Array.from(section.matchAll(/^- \[(.*?)\]\(([\w-]+)\.md\)/gm), ([, title, page]) => ({
        text: title,
        link: `/${page}`,
      })),
    }));
