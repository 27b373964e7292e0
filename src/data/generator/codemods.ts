import type { Advisory } from '../advisories/advisories.js';

/** What has to change in code that uses a package, besides its version. */
const changes: Readonly<Record<string, string>> = {
  lodash:
    "- const page = _.template(source, { variable: key });\n+ const page = _.template(source, { variable: 'model' });\n\n- page(row);\n+ page({ model: row });",
  axios:
    '- const source = axios.CancelToken.source();\n- await axios.get(url, { cancelToken: source.token });\n+ const controller = new AbortController();\n+ await axios.get(url, { signal: controller.signal });\n\n- source.cancel();\n+ controller.abort();',
  moment: '- const due = moment(input);\n+ const due = moment(input, moment.ISO_8601, true);',
  jquery: "- $('#hint').html(text);\n+ $('#hint').text(text);",
  handlebars:
    '- const view = Handlebars.compile(source, { compat: true });\n+ const view = Handlebars.compile(source, { strict: true });',
  'node-fetch':
    "- await fetch(url, { headers: { cookie } });\n+ await fetch(url, { headers: { cookie }, redirect: 'manual' });",
  'path-to-regexp': "- app.get('/files/:path*', download);\n+ app.get('/files/*path', download);",
  requests:
    '- response = session.get(url, proxies=proxies)\n+ response = session.get(url, proxies=proxies, timeout=10)',
};

/** How a version is written in the manifest of an ecosystem. */
const manifestLine = ({ ecosystem, package: name }: Advisory, version: string): string => {
  if (ecosystem === 'Maven') return `<version>${version}</version>`;
  if (ecosystem === 'PyPI') return `${name}==${version}`;
  if (ecosystem === 'RubyGems') return `gem "${name}", "${version}"`;
  if (ecosystem === 'NuGet') return `<PackageReference Include="${name}" Version="${version}" />`;
  return `"${name}": "${version}"`;
};

/** The summary of the code change in a fix of an advisory: a diff of several lines. */
export const codemodFor = (advisory: Advisory, fromVersion: string): string =>
  changes[advisory.package] ??
  `- ${manifestLine(advisory, fromVersion)}\n+ ${manifestLine(advisory, advisory.fixedVersion)}`;
