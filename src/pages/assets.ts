/** What pages load, each text in a module of its own, which the build makes (`scripts/copy-assets.js`). */
const modules = {
  'style.css': () => import('../../assets/style.css.text.js'),
  'copy.js': () => import('../../assets/copy.js.text.js'),
  'docs.css': () => import('../../assets/docs.css.text.js'),
  'docs.js': () => import('../../assets/docs.js.text.js'),
  'explore.css': () => import('../../assets/explore.css.text.js'),
  'explore.js': () => import('../../assets/explore.js.text.js'),
  'swagger-ui.css': () => import('../../assets/swagger-ui.css.text.js'),
  'swagger-ui-bundle.js': () => import('../../assets/swagger-ui-bundle.js.text.js'),
};

/** The file name of a style sheet or a script. */
export type AssetName = keyof typeof modules;

/** Reads a style sheet or a script. */
export const readAsset = async (name: AssetName): Promise<string> => (await modules[name]()).default;
