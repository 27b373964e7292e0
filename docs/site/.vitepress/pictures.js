import { instance } from '@viz-js/viz';

const graphviz = await instance();

/** Draws a block of Mermaid as SVG when the site is built, so that no reader has to load a program for it. */
export const pictures = (md) => {
  const render = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info === 'mermaid'
      ? `<div v-pre style="overflow-x: auto">${drawn(tokens[index].content)}</div>\n`
      : render(tokens, index, ...rest);
};

/** The picture, in the colour of the text around it. */
const drawn = (mermaid) => {
  const svg = graphviz.renderString(dotOf(mermaid), { format: 'svg' });
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
    .replaceAll('"black"', '"currentColor"')
    .replace('<svg', '<svg fill="currentColor" style="max-width: 100%; height: auto; min-width: 560px"');
};

const arrow = /^ *(\w+) --> (.+)$/;

/** The same graph for Graphviz. Fails for whatever of Mermaid it does not know. */
const dotOf = (mermaid) => {
  const [head, ...lines] = mermaid.trim().split('\n');
  if (head !== 'graph TD') throw new Error(`not known in a picture: ${head}`);
  const labels = Array.from(mermaid.matchAll(/(\w+)(\["[^"]+"\])/g), ([, id, label]) => `${id} ${label}`);
  const edges = lines.map((line) => {
    const [, from, to] = arrow.exec(line.replaceAll(/\["[^"]+"\]/g, '')) ?? [];
    if (to === undefined) throw new Error(`not known in a picture: ${line}`);
    return `${from} -> {${to.replaceAll('&', ' ')}}`;
  });
  const nodes = labels.map((each) => each.replace('["', '[label="'));
  return `digraph {
    bgcolor=transparent; nodesep=0.15; ranksep=0.4
    node [shape=box style=rounded fontname="sans-serif" fontsize=12 height=0.3 margin="0.15,0.05"]
    edge [arrowsize=0.6]
    ${[...nodes, ...edges].join('\n')}
  }`;
};
