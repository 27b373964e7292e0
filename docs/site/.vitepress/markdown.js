/** The anchor of a heading as forges make it, so that a link works here and there. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Shows the name of a file, which follows the language of a block, above the block. */
export const fileNames = (md) => {
  const render = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, name] = /^\w+ +([\w./-]+\.\w+)$/.exec(tokens[index].info) ?? [];
    const block = render(tokens, index, ...rest);
    return name === undefined ? block : `<p><code>${md.utils.escapeHtml(name)}</code></p>\n${block}`;
  };
};

/** Leads links to files outside of docs/ to the repository. Without one, only their text is left. */
export const linksOutside = (md, repository) => {
  md.core.ruler.push('links-outside', (state) => {
    for (const token of state.tokens.filter(({ type }) => type === 'inline')) {
      let outside = false;
      token.children = token.children.filter((child) => {
        if (child.type === 'link_open') outside = child.attrGet('href').startsWith('../');
        if (!outside) return true;
        if (child.type === 'link_open' && repository !== undefined) {
          child.attrSet('href', `${repository}/blob/main/${child.attrGet('href').slice('../'.length)}`);
        }
        const isLink = child.type === 'link_open' || child.type === 'link_close';
        if (child.type === 'link_close') outside = false;
        return !isLink || repository !== undefined;
      });
    }
  });
};

/** Gives each cell the title of its column, for narrow screens, where rows are stacked. */
export const cellLabels = (md) => {
  md.core.ruler.push('cell-labels', ({ tokens }) => {
    let titles = [];
    let column = 0;
    tokens.forEach((token, index) => {
      if (token.type === 'thead_open') titles = [];
      if (token.type === 'th_open') titles.push(tokens[index + 1].content.replaceAll(/[`*]/g, ''));
      if (token.type === 'tr_open') column = 0;
      if (token.type !== 'td_open') return;
      token.attrSet('data-label', titles[column] ?? '');
      column += 1;
    });
  });
};

/** Makes a header of a table without any text an ordinary cell: it names no column. */
export const emptyHeaders = (md) => {
  md.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [index, { type, content }] of tokens.entries())
      if (type === 'inline' && content === '' && tokens[index - 1].type === 'th_open')
        tokens[index - 1].tag = tokens[index + 1].tag = 'td';
  });
};

/**
 * Has the button of a console copy its commands, without prompts and what they print. A command goes on after
 * a backslash at the end of a line.
 */
export const commandsAlone = {
  line(node, number) {
    if (this.options.lang !== 'console') return;
    const lines = this.source.split('\n').slice(0, number);
    const isCommand = (at) =>
      lines[at]?.startsWith('$ ') || (lines[at - 1]?.endsWith('\\') && isCommand(at - 1));
    if (!isCommand(number - 1)) this.addClassToHast(node, 'vp-copy-ignore');
    if (!lines[number - 1].startsWith('$ ')) return;
    const [{ children }] = node.children;
    children[0].value = children[0].value.replace(/^\$ ?/, '');
    const properties = { class: 'vp-copy-ignore' };
    const prompt = [{ type: 'text', value: '$ ' }];
    node.children.unshift({ type: 'element', tagName: 'span', properties, children: prompt });
  },
};

const ownServer = /^http:\/\/127\.0\.0\.1:4000\/?/;

/** After each link to the server that a reader has started, adds one to the same page of the demo of this site. */
export const linksToDemo = (md, demo) => {
  md.core.ruler.push('links-to-demo', (state) => {
    for (const token of state.tokens.filter(({ type }) => type === 'inline')) {
      let path;
      token.children = token.children.flatMap((child) => {
        const href = child.type === 'link_open' ? child.attrGet('href') : '';
        if (ownServer.test(href)) path = href.replace(ownServer, '');
        if (child.type !== 'link_close' || path === undefined) return [child];
        const live = new state.Token('html_inline', '', 0);
        live.content = ` (<a href="${md.utils.escapeHtml(demo + path)}" target="_self">see it live</a>)`;
        path = undefined;
        return [child, live];
      });
    }
  });
};
