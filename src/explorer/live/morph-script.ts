/**
 * `morph(old, next)` turns a part of the page into another one and changes no more than it has to: whatever
 * stays the same keeps its focus, its selection, its scroll position and what a visitor has typed or opened.
 * It returns whether anything has changed but the words for times, which age by themselves.
 */
export const morphScript = `
const own = 'data-own';
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const isOwn = (node) => isElement(node) && node.hasAttribute(own);
const relative = /^(?:just now|never|in the future|\\d+ \\w+ ago)$/;

// Nodes with the same identity are matched. Rows of a table have a key, because they come and go.
const identity = (node) =>
  isElement(node)
    ? [node.localName, node.id, node.dataset.key ?? '', node.classList[0] ?? ''].join(' ')
    : node.nodeName;

// Space between the rows of a table means nothing, and would be in the way of rows that move.
const withoutSpace = (table) => {
  for (const node of Array.from(table.childNodes)) if (!isElement(node)) node.remove();
};

const morph = (old, next) => {
  let hasChanged = false;
  const note = (element) => {
    if (!element.closest('time, .json')) hasChanged = true;
  };

  const morphText = (from, to) => {
    if (from.data === to.data) return;
    if (!relative.test(from.data) || !relative.test(to.data)) note(from.parentElement);
    from.data = to.data;
  };

  const morphAttributes = (from, to) => {
    for (const { name, value } of to.attributes) {
      if (from.getAttribute(name) === value || (name === 'open' && from.localName === 'details')) continue;
      from.setAttribute(name, value);
      note(from);
    }
    for (const { name } of Array.from(from.attributes)) {
      if (to.hasAttribute(name) || (name === 'open' && from.localName === 'details')) continue;
      from.removeAttribute(name);
      note(from);
    }
  };

  const morphNode = (from, to) => {
    if (from.isEqualNode(to)) return;
    if (!isElement(from)) return morphText(from, to);
    morphAttributes(from, to);
    morphChildren(from, to);
  };

  const morphChildren = (from, to) => {
    for (const table of [from, to]) if (table.localName === 'table') withoutSpace(table);
    const free = new Map();
    for (const node of from.childNodes) {
      if (isOwn(node)) continue;
      const name = identity(node);
      if (!free.has(name)) free.set(name, []);
      free.get(name).push(node);
    }
    const wanted = Array.from(to.childNodes, (node) => [free.get(identity(node))?.shift(), node]);
    for (const node of Array.from(free.values()).flat()) {
      node.remove();
      note(from);
    }
    let cursor = from.firstChild;
    for (const [kept, node] of wanted) {
      while (cursor !== null && isOwn(cursor)) cursor = cursor.nextSibling;
      if (kept === undefined) {
        from.insertBefore(document.importNode(node, true), cursor);
        note(from);
        continue;
      }
      if (kept === cursor) cursor = cursor.nextSibling;
      else {
        // If one node was moved behind another, it is moved, rather than all that it has passed.
        if (kept === cursor?.nextSibling) from.insertBefore(cursor, kept.nextSibling);
        else from.insertBefore(kept, cursor);
        if (isElement(kept)) note(from);
      }
      morphNode(kept, node);
    }
  };

  // An element that is moved loses the focus.
  const focused = document.activeElement;
  morphNode(old, next);
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  return hasChanged;
};
`;
