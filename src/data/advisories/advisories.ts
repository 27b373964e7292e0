import { groupBy } from '../../common/sort-and-group.js';
import type { Severity } from '../../contract/enums.js';

/** An affected range of a published advisory, in the words of a finding (contract, section 2.2). */
export type Advisory = Readonly<{
  advisoryId: string;
  cve: string;
  package: string;
  ecosystem: string;
  vulnerableRange: string;
  fixedRange: string;
  /** The first version that is not affected. */
  fixedVersion: string;
  severity: Severity;
  /** The day on which the advisory was published, such as "2021-05-06". */
  publishedOn: string;
}>;

/** Registries whose package names are compared without regard to case. */
export const ignoringCase = ['PyPI', 'NuGet'];

/** Ranges of the form `< 1.2.3` or `>= 1.0.0, < 1.2.3`. */
type Affected = readonly [ecosystem: string, name: string, ...vulnerableRanges: string[]];

const advisory = (
  advisoryId: string,
  cve: string,
  severity: Severity,
  publishedOn: string,
  affected: readonly Affected[],
): readonly Advisory[] =>
  affected.flatMap(([ecosystem, name, ...vulnerableRanges]) =>
    vulnerableRanges.map((vulnerableRange) => {
      const fixedVersion = vulnerableRange.slice(vulnerableRange.indexOf('< ') + 2);
      return {
        advisoryId,
        cve,
        package: name,
        ecosystem,
        vulnerableRange,
        fixedRange: `>= ${fixedVersion}`,
        fixedVersion,
        severity,
        publishedOn,
      };
    }),
  );

/**
 * Published advisories of well-known packages, by advisory, package and range: facts of the GitHub Advisory
 * Database (CC BY 4.0). Its severity "moderate" is our "medium".
 */
export const advisories: readonly Advisory[] = [
  advisory('GHSA-2gwj-7jmv-h26r', 'CVE-2022-28346', 'critical', '2022-04-13', [
    ['PyPI', 'Django', '>= 2.2, < 2.2.28', '>= 3.2, < 3.2.13', '>= 4.0, < 4.0.4'],
  ]),
  advisory('GHSA-34jh-p97f-mpxf', 'CVE-2024-37891', 'medium', '2024-06-17', [
    ['PyPI', 'urllib3', '< 1.26.19', '>= 2.0.0, < 2.2.2'],
  ]),
  advisory('GHSA-35jh-r3h4-6jhm', 'CVE-2021-23337', 'high', '2021-05-06', [
    ['npm', 'lodash', '< 4.17.21'],
    ['npm', 'lodash-es', '< 4.17.21'],
  ]),
  advisory('GHSA-36p3-wjmg-h94x', 'CVE-2022-22965', 'critical', '2022-03-31', [
    ['Maven', 'org.springframework.boot:spring-boot-starter-web', '< 2.5.12', '>= 2.6.0, < 2.6.6'],
    ['Maven', 'org.springframework.boot:spring-boot-starter-webflux', '< 2.5.12', '>= 2.6.0, < 2.6.6'],
    ['Maven', 'org.springframework:spring-beans', '< 5.2.20.RELEASE', '>= 5.3.0, < 5.3.18'],
    ['Maven', 'org.springframework:spring-webflux', '< 5.2.20.RELEASE', '>= 5.3.0, < 5.3.18'],
    ['Maven', 'org.springframework:spring-webmvc', '< 5.2.20.RELEASE', '>= 5.3.0, < 5.3.18'],
  ]),
  advisory('GHSA-3h5v-q93c-6h6q', 'CVE-2024-37890', 'high', '2024-06-17', [
    ['npm', 'ws', '>= 2.1.0, < 5.2.4', '>= 6.0.0, < 6.2.3', '>= 7.0.0, < 7.5.10', '>= 8.0.0, < 8.17.1'],
  ]),
  advisory('GHSA-4w2v-q235-vp99', 'CVE-2020-28168', 'medium', '2021-01-04', [['npm', 'axios', '< 0.21.1']]),
  advisory('GHSA-57j2-w4cx-62h2', 'CVE-2020-36518', 'high', '2022-03-12', [
    ['Maven', 'com.fasterxml.jackson.core:jackson-databind', '< 2.12.6.1', '>= 2.13.0, < 2.13.2.1'],
  ]),
  advisory('GHSA-72xf-g2v4-qvf3', 'CVE-2023-26136', 'medium', '2023-07-01', [
    ['npm', 'tough-cookie', '< 4.1.3'],
  ]),
  advisory('GHSA-7rjr-3q55-vv33', 'CVE-2021-45046', 'critical', '2021-12-14', [
    ['Maven', 'org.apache.logging.log4j:log4j-core', '< 2.12.2', '>= 2.13.0, < 2.16.0'],
  ]),
  advisory('GHSA-8489-44mv-ggj8', 'CVE-2021-44832', 'medium', '2022-01-04', [
    [
      'Maven',
      'org.apache.logging.log4j:log4j-core',
      '>= 2.0-beta7, < 2.3.2',
      '>= 2.4, < 2.12.4',
      '>= 2.13.0, < 2.17.1',
    ],
  ]),
  advisory('GHSA-8hfj-j24r-96c4', 'CVE-2022-24785', 'high', '2022-04-04', [
    ['NuGet', 'Moment.js', '< 2.29.2'],
    ['npm', 'moment', '< 2.29.2'],
  ]),
  advisory('GHSA-9wv6-86v2-598j', 'CVE-2024-45296', 'high', '2024-09-09', [
    [
      'npm',
      'path-to-regexp',
      '< 0.1.10',
      '>= 0.2.0, < 1.9.0',
      '>= 2.0.0, < 3.3.0',
      '>= 4.0.0, < 6.3.0',
      '>= 7.0.0, < 8.0.0',
    ],
  ]),
  advisory('GHSA-9wx4-h78v-vm56', 'CVE-2024-35195', 'medium', '2024-05-20', [
    ['PyPI', 'requests', '< 2.32.2'],
  ]),
  advisory('GHSA-c2qf-rxjj-qqgw', 'CVE-2022-25883', 'medium', '2023-06-21', [
    ['npm', 'semver', '< 5.7.2', '>= 6.0.0, < 6.3.1', '>= 7.0.0, < 7.5.2'],
  ]),
  advisory('GHSA-cm22-4g7w-348p', 'CVE-2024-43800', 'low', '2024-09-10', [
    ['npm', 'serve-static', '< 1.16.0', '>= 2.0.0, < 2.1.0'],
  ]),
  advisory('GHSA-cph5-m8f7-6c5x', 'CVE-2021-3749', 'high', '2021-09-01', [['npm', 'axios', '< 0.21.2']]),
  advisory('GHSA-f2jv-r9rf-7988', 'CVE-2021-23369', 'critical', '2021-05-06', [
    ['Maven', 'org.webjars.bowergithub.wycats:handlebars.js', '< 4.7.7'],
    ['Maven', 'org.webjars.npm:handlebars', '< 4.7.7'],
    ['Maven', 'org.webjars:handlebars', '< 4.7.7'],
    ['npm', 'handlebars', '< 4.7.7'],
  ]),
  advisory('GHSA-grv7-fg5c-xmjg', 'CVE-2024-4068', 'high', '2024-05-14', [['npm', 'braces', '< 3.0.3']]),
  advisory('GHSA-gxpj-cx7g-858c', 'CVE-2017-16137', 'medium', '2018-08-09', [
    ['npm', 'debug', '< 2.6.9', '>= 3.0.0, < 3.1.0', '>= 3.2.0, < 3.2.7', '>= 4.0.0, < 4.3.1'],
  ]),
  advisory('GHSA-gxr4-xjj5-5px2', 'CVE-2020-11022', 'medium', '2020-04-29', [
    ['Maven', 'org.webjars.npm:jquery', '>= 1.2.0, < 3.5.0'],
    ['NuGet', 'jquery', '>= 1.2.0, < 3.5.0'],
    ['RubyGems', 'jquery-rails', '< 4.4.0'],
    ['npm', 'jquery', '>= 1.2.0, < 3.5.0'],
  ]),
  advisory('GHSA-j8r2-6x86-q33q', 'CVE-2023-32681', 'medium', '2023-05-22', [
    ['PyPI', 'requests', '>= 2.3.0, < 2.31.0'],
  ]),
  advisory('GHSA-jf85-cpcp-j695', 'CVE-2019-10744', 'critical', '2019-07-10', [
    ['npm', 'lodash', '< 4.17.12'],
    ['npm', 'lodash-amd', '< 4.17.13'],
    ['npm', 'lodash-es', '< 4.17.14'],
    ['npm', 'lodash.defaultsdeep', '< 4.6.1'],
  ]),
  advisory('GHSA-jfh8-c2jp-5v3q', 'CVE-2021-44228', 'critical', '2021-12-10', [
    ['Maven', 'org.apache.logging.log4j:log4j-core', '< 2.3.1', '>= 2.4, < 2.12.2', '>= 2.13.0, < 2.15.0'],
  ]),
  advisory('GHSA-jjjh-jjxp-wpff', 'CVE-2022-42003', 'high', '2022-10-03', [
    [
      'Maven',
      'com.fasterxml.jackson.core:jackson-databind',
      '>= 2.4.0-rc1, < 2.12.7.1',
      '>= 2.13.0, < 2.13.4.1',
    ],
  ]),
  advisory('GHSA-m6fv-jmcg-4jfg', 'CVE-2024-43799', 'low', '2024-09-10', [['npm', 'send', '< 0.19.0']]),
  advisory('GHSA-p6mc-m468-83gw', 'CVE-2020-8203', 'high', '2020-07-15', [
    ['npm', 'lodash', '< 4.17.20'],
    ['npm', 'lodash-es', '< 4.17.20'],
  ]),
  advisory('GHSA-pxg6-pf52-xh8x', 'CVE-2024-47764', 'low', '2024-10-04', [['npm', 'cookie', '< 0.7.0']]),
  advisory('GHSA-qwcr-r2fm-qrc7', 'CVE-2024-45590', 'high', '2024-09-10', [
    ['npm', 'body-parser', '< 1.20.3'],
  ]),
  advisory('GHSA-r683-j2x4-v87g', 'CVE-2022-0235', 'high', '2022-01-21', [
    ['npm', 'node-fetch', '< 2.6.7', '>= 1.0, < 3.1.1'],
  ]),
  advisory('GHSA-rp65-9cf3-cjxr', 'CVE-2021-3803', 'high', '2021-09-20', [['npm', 'nth-check', '< 2.0.1']]),
  advisory('GHSA-v845-jxx5-vc9f', 'CVE-2023-43804', 'medium', '2023-10-02', [
    ['PyPI', 'urllib3', '< 1.26.17', '>= 2.0.0, < 2.0.6'],
  ]),
  advisory('GHSA-vh95-rmgr-6w4m', 'CVE-2020-7598', 'medium', '2020-04-03', [
    ['npm', 'minimist', '< 0.2.1', '>= 1.0.0, < 1.2.3'],
  ]),
  advisory('GHSA-w5p7-h5w8-2hfq', 'CVE-2020-7753', 'high', '2021-05-10', [['npm', 'trim', '< 0.0.3']]),
  advisory('GHSA-wc69-rhjr-hc9g', 'CVE-2022-31129', 'high', '2022-07-06', [
    ['NuGet', 'Moment.js', '>= 2.18.0, < 2.29.4'],
    ['npm', 'moment', '>= 2.18.0, < 2.29.4'],
  ]),
  advisory('GHSA-wf5p-g6vw-rhxx', 'CVE-2023-45857', 'medium', '2023-11-08', [
    ['npm', 'axios', '>= 0.8.1, < 1.6.0'],
  ]),
  advisory('GHSA-xvch-5gv4-984h', 'CVE-2021-44906', 'critical', '2022-03-18', [
    ['npm', 'minimist', '< 0.2.4', '>= 1.0.0, < 1.2.6'],
  ]),
].flat();

const byPackage = groupBy(advisories, (each) => each.package);

/** The advisories for a package of this name; none if it is not a well-known one. */
export const advisoriesFor = (name: string): readonly Advisory[] => byPackage.get(name) ?? [];
