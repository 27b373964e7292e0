/** A report in the form in which a tool writes it, what it shows, and what it becomes. */
type Row = Readonly<{ about: string; report: string; becomes: string }>;

/** One of each format, by its name. */
export const formats: Readonly<Record<string, Row>> = {
  'npm audit (npm 7 and later)': {
    about: 'an element of via is an advisory; the end of its range is the fix',
    report: `{"auditReportVersion": 2,
 "vulnerabilities": {"lodash": {"name": "lodash", "severity": "high", "isDirect": true,
   "via": [{"source": 1106913, "name": "lodash", "url": "https://github.com/advisories/GHSA-35jh-r3h4-6jhm",
     "severity": "high",
     "cvss": {"score": 7.2, "vectorString": "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H"},
     "range": "<4.17.21"}],
   "range": "<4.17.21", "fixAvailable": {"name": "builder", "version": "3.0.0", "isSemVerMajor": true}},
  "builder": {"name": "builder", "severity": "high", "via": ["lodash"], "range": "<=2.9.0",
   "fixAvailable": true},
  "trim": {"name": "trim", "severity": "info",
   "via": [{"source": 1002115, "name": "trim", "url": "https://npmjs.com/advisories/1002115", "severity": "info",
     "range": "<=0.0.2"}],
   "fixAvailable": false}},
 "metadata": {"vulnerabilities": {"info": 1, "low": 0, "moderate": 0, "high": 2, "critical": 0, "total": 3}}}`,
    becomes: `imported/a: GHSA-35jh-r3h4-6jhm lodash (npm), high, pending, <4.17.21 -> >= 4.17.21
imported/a: 1002115 trim (npm), low, pending, <=0.0.2 -> no fixed version
left out, names-another-package: /vulnerabilities/builder/via/0 (lodash)
noted: severity-as-low info 1`,
  },
  'npm audit (npm 6), pnpm audit, yarn npm audit (Yarn 2 and 3)': {
    about: 'patched_versions is the fix, and <0.0.0 is none',
    report: `{"actions": [{"action": "update", "module": "minimist", "resolves": [{"id": 1097677, "dev": false}]}],
 "advisories": {"1002847": {"vulnerable_versions": ">=0.0.0", "module_name": "cryo", "severity": "moderate", "cves": [],
   "patched_versions": "<0.0.0", "deleted": null, "id": 1002847, "created": "2018-08-09T14:02:37.000Z",
   "updated": "2021-09-23T21:42:12.000Z", "url": "https://www.npmjs.com/advisories/690"},
  "1097677": {"findings": [{"version": "1.2.0", "paths": [".>mkdirp>minimist", ".>tool>mkdirp>minimist"]}],
   "vulnerable_versions": ">=1.0.0 <1.2.6", "module_name": "minimist", "severity": "critical",
   "github_advisory_id": "GHSA-xvch-5gv4-984h", "cves": ["CVE-2021-44906"], "patched_versions": ">=1.2.6",
   "updated": "2024-06-24T21:22:10.000Z", "deleted": null, "id": 1097677,
   "created": "2022-03-18T00:01:09.000Z", "url": "https://github.com/advisories/GHSA-xvch-5gv4-984h"}},
 "metadata": {"vulnerabilities": {"info": 0, "low": 0, "moderate": 1, "high": 0, "critical": 1},
  "dependencies": 12}}`,
    becomes: `imported/a: 1002847 cryo (npm), medium, pending, >=0.0.0 -> no fixed version
  discoveredAt 2018-08-09T14:02:37.000Z, updatedAt 2021-09-23T21:42:12.000Z
imported/a: GHSA-xvch-5gv4-984h minimist (npm), critical, pending, >=1.0.0 <1.2.6 -> >=1.2.6
  discoveredAt 2022-03-18T00:01:09.000Z, updatedAt 2024-06-24T21:22:10.000Z`,
  },
  'yarn npm audit (Yarn 4)': {
    about: 'a line is an advisory',
    report: `{"value": "nth-check",
 "children": {"ID": 1095141, "URL": "https://github.com/advisories/GHSA-rp65-9cf3-cjxr",
  "Severity": "high", "Vulnerable Versions": "<2.0.1", "Tree Versions": ["1.0.2"]}}`,
    becomes: `imported/a: GHSA-rp65-9cf3-cjxr nth-check (npm), high, pending, <2.0.1 -> >= 2.0.1`,
  },
  'yarn audit (Yarn 1)': {
    about: 'a line is an advisory as the registry has it',
    report: `{"type": "auditAdvisory",
 "data": {"advisory": {"id": 1089196, "module_name": "ajv", "severity": "moderate",
   "github_advisory_id": "GHSA-v88g-cgmw-v5xw", "cves": ["CVE-2020-15366"],
   "vulnerable_versions": "<6.12.3", "patched_versions": ">=6.12.3",
   "created": "2022-02-10T23:30:59.000Z", "updated": "2023-01-27T05:08:20.000Z", "deleted": null,
   "url": "https://github.com/advisories/GHSA-v88g-cgmw-v5xw"}}}`,
    becomes: `imported/a: GHSA-v88g-cgmw-v5xw ajv (npm), medium, pending, <6.12.3 -> >=6.12.3
  discoveredAt 2022-02-10T23:30:59.000Z, updatedAt 2023-01-27T05:08:20.000Z`,
  },
  'bun audit, yarn npm audit (Yarn 4.0.0)': {
    about: 'the key is the package',
    report: `{"postcss": [{"id": 1109574, "url": "https://github.com/advisories/GHSA-7fh5-64p2-3v2j",
   "title": "PostCSS line return parsing error", "severity": "moderate", "vulnerable_versions": "<8.4.31",
   "cwe": ["CWE-74", "CWE-144"],
   "cvss": {"score": 5.3, "vectorString": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N"}}]}`,
    becomes: `imported/a: GHSA-7fh5-64p2-3v2j postcss (npm), medium, pending, <8.4.31 -> >= 8.4.31`,
  },
  'snyk test': {
    about: 'a project; licenses, and what is ignored, are left out',
    report: `{"ok": false,
 "vulnerabilities": [{"id": "SNYK-JS-BL-608877", "packageName": "bl", "version": "4.0.2", "severity": "high",
   "identifiers": {"CVE": ["CVE-2020-8244"], "CWE": ["CWE-126"], "GHSA": ["GHSA-pp7h-53gx-mx7r"]},
   "semver": {"vulnerable": ["<1.2.3", ">=2.0.1 <2.2.1", ">=3.0.0 <3.0.1", ">=4.0.0 <4.0.3"]},
   "fixedIn": ["1.2.3", "2.2.1", "3.0.1", "4.0.3"], "publicationTime": "2020-08-30T14:41:32Z",
   "modificationTime": "2022-02-04T22:23:18.125529Z"},
  {"id": "SNYK-JS-OLD-1", "packageName": "old", "version": "0.9.0", "severity": "low", "identifiers": {},
   "fixedIn": []},
  {"id": "snyk:lic:npm:web:GPL-3.0", "type": "license", "packageName": "web", "version": "1.0.0",
   "severity": "high"}],
 "filtered": {"ignore": [{"id": "SNYK-JS-BL-1", "packageName": "bl"}], "patch": []},
 "dependencyCount": 12, "packageManager": "npm", "projectName": "acme/shop"}`,
    becomes: `repositories: acme/shop
acme/shop: GHSA-pp7h-53gx-mx7r bl (npm), high, pending, < 1.2.3 || >= 2.0.1, < 2.2.1 || >= 3.0.0, < 3.0.1 || >= 4.0.0, < 4.0.3 -> >= 1.2.3, < 2.0.1 || >= 2.2.1, < 3.0.0 || >= 3.0.1, < 4.0.0 || >= 4.0.3
  discoveredAt 2020-08-30T14:41:32.000Z, updatedAt 2022-02-04T22:23:18.125Z
acme/shop: SNYK-JS-OLD-1 old (npm), low, pending, = 0.9.0 -> no fixed version
left out, not-a-dependency: /vulnerabilities/2 (web)
left out, ignored: /filtered/ignore/0 (SNYK-JS-BL-1)
noted: range-from-version 1`,
  },
  'pip-audit': {
    about: 'an empty list of fixes denies them, and a dependency that was skipped was not scanned',
    report: `{"dependencies": [{"name": "Flask_Login", "version": "0.6.0",
   "vulns": [{"id": "PYSEC-2099-1", "fix_versions": ["0.5.1", "0.6.2"], "aliases": ["CVE-2099-9001"]}]},
  {"name": "zope.interface", "version": "5.0",
   "vulns": [{"id": "PYSEC-2099-2", "fix_versions": [], "aliases": []}]},
  {"name": "local", "skip_reason": "Dependency not found on PyPI"}],
 "fixes": []}`,
    becomes: `imported/a: CVE-2099-9001 Flask_Login (PyPI), undefined, pending, < 0.6.2 -> >= 0.6.2
imported/a: PYSEC-2099-2 zope.interface (PyPI), undefined, pending, = 5.0 -> no fixed version
left out, not-scanned: /dependencies/2 (local)
noted: range-from-fix 1, range-from-version 1`,
  },
  'GitLab dependency or container scanning': {
    about: 'the solution is the fix, and the file or the system tells the ecosystem',
    report: `{"version": "15.0.7",
 "vulnerabilities": [{"id": "5d681b13e8fa4668", "severity": "High", "solution": "Upgrade to versions 5.0.2, 6.0.1 or above.",
   "identifiers": [{"type": "gemnasium", "name": "Gemnasium-1", "value": "bfd3c3a8"},
    {"type": "cve", "name": "CVE-2099-7001", "value": "CVE-2099-7001"},
    {"type": "cwe", "name": "CWE-1", "value": "1"}],
   "location": {"file": "web/yarn.lock", "dependency": {"package": {"name": "tar"}, "version": "5.0.0"}}},
  {"id": "9", "severity": "Unknown", "solution": "Unfortunately, there is no solution available yet.",
   "identifiers": [{"type": "cve", "value": "CVE-2099-7002"}],
   "location": {"operating_system": "debian 12",
    "dependency": {"package": {"name": "libxml2"}, "version": "2.9.14+dfsg-1"}}},
  {"id": "10", "identifiers": [{"type": "cve", "value": "CVE-2099-7003"}], "location": {"file": "a.c"}}],
 "scan": {"type": "dependency_scanning", "status": "success", "end_time": "2024-05-06T07:08:09"}}`,
    becomes: `imported/a: CVE-2099-7001 tar (npm), high, pending, < 5.0.2 -> >= 5.0.2, < 6.0.0 || >= 6.0.1
  discoveredAt 2024-05-06T07:08:09.000Z
imported/a: CVE-2099-7002 libxml2 (Debian), low, pending, = 2.9.14+dfsg-1 -> no fixed version
  discoveredAt 2024-05-06T07:08:09.000Z
scan: imported/a 2024-05-06T07:08:09.000Z 2
left out, not-a-dependency: /vulnerabilities/2 (CVE-2099-7003)
noted: range-from-fix 1, severity-as-low Unknown 1, range-from-version 1`,
  },
  'osv-scanner': {
    about: 'the same vulnerability in two databases is one finding, with all ranges',
    report: `{"results": [{"source": {"path": "/src/requirements.txt", "type": "lockfile"},
   "packages": [{"package": {"name": "urllib3", "version": "2.0.4", "ecosystem": "PyPI"},
     "vulnerabilities": [{"schema_version": "1.6.0", "id": "GHSA-v845-jxx5-vc9f",
       "aliases": ["CVE-2023-43804", "PYSEC-2023-192"], "modified": "2024-02-22T05:34:52Z",
       "published": "2023-10-02T23:27:26Z",
       "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:N"}],
       "database_specific": {"severity": "MODERATE", "cwe_ids": ["CWE-200"]},
       "affected": [{"package": {"ecosystem": "PyPI", "name": "urllib3", "purl": "pkg:pypi/urllib3"},
         "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "2.0.0"}, {"fixed": "2.0.6"}]}],
         "versions": ["2.0.0", "2.0.4"]},
        {"package": {"ecosystem": "PyPI", "name": "urllib3", "purl": "pkg:pypi/urllib3"},
         "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.26.17"}]}]}]},
      {"id": "PYSEC-2023-192", "aliases": ["CVE-2023-43804", "GHSA-v845-jxx5-vc9f"],
       "modified": "2023-10-13T12:30:00.123456Z", "published": "2023-10-04T17:15:00Z",
       "affected": [{"package": {"ecosystem": "PyPI", "name": "urllib3", "purl": "pkg:pypi/urllib3"},
         "ranges": [{"type": "GIT", "repo": "https://github.com/urllib3/urllib3",
           "events": [{"introduced": "0"}, {"fixed": "01220354d389cd05474713f8c982d05c9b17aafb"}]},
          {"type": "ECOSYSTEM",
           "events": [{"introduced": "0"}, {"fixed": "1.26.17"}, {"introduced": "2.0.0"},
            {"fixed": "2.0.6"}]}]}]}],
     "groups": [{"ids": ["GHSA-v845-jxx5-vc9f", "PYSEC-2023-192"],
       "aliases": ["CVE-2023-43804", "GHSA-v845-jxx5-vc9f", "PYSEC-2023-192"],
       "max_severity": "5.9"}]}]}],
 "experimental_config": {"licenses": {"summary": false, "allowlist": null}}}`,
    becomes: `imported/a: GHSA-v845-jxx5-vc9f urllib3 (PyPI), medium, pending, < 1.26.17 || >= 2.0.0, < 2.0.6 -> >= 1.26.17, < 2.0.0 || >= 2.0.6
  discoveredAt 2023-10-02T23:27:26.000Z, updatedAt 2024-02-22T05:34:52.000Z
merged: 1`,
  },
  'OSV advisories': {
    about: 'each affected package is a finding',
    report: `{"schema_version": "1.4.0", "id": "GHSA-jf85-cpcp-j695", "modified": "2023-09-05T19:21:31Z",
 "published": "2019-07-10T19:45:23Z", "aliases": ["CVE-2019-10744"],
 "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H"}],
 "affected": [{"package": {"ecosystem": "npm", "name": "lodash"},
   "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "4.17.12"}]}]},
  {"package": {"ecosystem": "RubyGems", "name": "lodash-rails"},
   "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"last_affected": "4.17.11"}]}]}],
 "database_specific": {"severity": "CRITICAL", "github_reviewed": true}}`,
    becomes: `imported/a: GHSA-jf85-cpcp-j695 lodash (npm), critical, pending, < 4.17.12 -> >= 4.17.12
  discoveredAt 2019-07-10T19:45:23.000Z, updatedAt 2023-09-05T19:21:31.000Z
imported/a: GHSA-jf85-cpcp-j695 lodash-rails (RubyGems), critical, pending, <= 4.17.11 -> no fixed version
  discoveredAt 2019-07-10T19:45:23.000Z, updatedAt 2023-09-05T19:21:31.000Z`,
  },
  'Dependabot alerts (REST API or webhook)': {
    about: 'the state is the status, and the address names the repository',
    report: `[{"number": 7, "state": "open",
  "dependency": {"package": {"ecosystem": "pip", "name": "requests"}, "manifest_path": "requirements.txt",
   "scope": "runtime"},
  "security_advisory": {"ghsa_id": "GHSA-j8r2-6x86-q33q", "cve_id": "CVE-2023-32681",
   "severity": "medium",
   "identifiers": [{"value": "GHSA-j8r2-6x86-q33q", "type": "GHSA"},
    {"value": "CVE-2023-32681", "type": "CVE"}],
   "withdrawn_at": null},
  "security_vulnerability": {"package": {"ecosystem": "pip", "name": "requests"}, "severity": "medium",
   "vulnerable_version_range": ">= 2.3.0, < 2.31.0", "first_patched_version": {"identifier": "2.31.0"}},
  "url": "https://api.github.com/repos/acme/jobs/dependabot/alerts/7",
  "html_url": "https://github.com/acme/jobs/security/dependabot/7", "created_at": "2023-05-23T08:00:01Z",
  "updated_at": "2023-05-24T09:10:11Z", "dismissed_at": null, "fixed_at": null,
  "auto_dismissed_at": null},
 {"number": 8, "state": "dismissed",
  "dependency": {"package": {"ecosystem": "rubygems", "name": "rack"}, "manifest_path": "Gemfile.lock",
   "scope": "runtime"},
  "security_advisory": {"ghsa_id": "GHSA-65f5-mfpf-vfhj", "cve_id": null, "severity": "high",
   "identifiers": [], "withdrawn_at": null},
  "security_vulnerability": {"package": {"ecosystem": "rubygems", "name": "rack"}, "severity": "high",
   "vulnerable_version_range": "<= 2.2.0", "first_patched_version": null},
  "html_url": "https://github.com/acme/jobs/security/dependabot/8", "created_at": "2023-06-01T08:00:00Z",
  "updated_at": "2023-06-02T08:00:00Z", "dismissed_at": "2023-06-02T08:00:00Z", "fixed_at": null,
  "auto_dismissed_at": null}]`,
    becomes: `repositories: acme/jobs
acme/jobs: GHSA-j8r2-6x86-q33q requests (PyPI), medium, pending, >= 2.3.0, < 2.31.0 -> >= 2.31.0
  discoveredAt 2023-05-23T08:00:01.000Z, updatedAt 2023-05-24T09:10:11.000Z
acme/jobs: GHSA-65f5-mfpf-vfhj rack (RubyGems), high, resolved, <= 2.2.0 -> no fixed version
  discoveredAt 2023-06-01T08:00:00.000Z, updatedAt 2023-06-02T08:00:00.000Z, reconciledAt 2023-06-02T08:00:00.000Z`,
  },
  'Dependabot alerts (GraphQL API)': {
    about: 'alerts are found wherever they are, and a repository without alerts is one, too',
    report: `{"data": {"organization": {"login": "acme",
   "repositories": {"nodes": [{"name": "billing",
      "vulnerabilityAlerts": {"totalCount": 1,
       "nodes": [{"number": 3, "state": "FIXED", "createdAt": "2024-01-26T02:42:32Z",
         "fixedAt": "2024-02-01T10:00:00Z", "vulnerableManifestPath": "pom.xml",
         "vulnerableRequirements": "= 5.3.29",
         "dependabotUpdate": {"pullRequest": {"permalink": "https://github.com/acme/billing/pull/12"}},
         "securityVulnerability": {"severity": "CRITICAL",
          "package": {"name": "org.springframework:spring-web", "ecosystem": "MAVEN"},
          "firstPatchedVersion": {"identifier": "6.0.0"}, "vulnerableVersionRange": "< 6.0.0",
          "advisory": {"identifiers": [{"value": "GHSA-4wrc-f8pq-fpqp", "type": "GHSA"},
            {"value": "CVE-2016-1000027", "type": "CVE"}]}}}]}},
     {"name": "empty", "vulnerabilityAlerts": {"totalCount": 0, "nodes": []}}]}}}}`,
    becomes: `repositories: acme/billing, acme/empty
acme/billing: GHSA-4wrc-f8pq-fpqp org.springframework:spring-web (Maven), critical, resolved, < 6.0.0 -> >= 6.0.0
  discoveredAt 2024-01-26T02:42:32.000Z, reconciledAt 2024-02-01T10:00:00.000Z, pullRequest https://github.com/acme/billing/pull/12 5.3.29`,
  },
  Trivy: {
    about: 'the artifact is the repository, and what is no package is left out',
    report: `{"SchemaVersion": 2, "CreatedAt": "2025-03-04T10:11:12.345678901+01:00",
 "ArtifactName": "ghcr.io/acme/web:1.4", "ArtifactType": "container_image",
 "Results": [{"Target": "ghcr.io/acme/web:1.4 (alpine 3.19.1)", "Class": "os-pkgs", "Type": "alpine"},
  {"Target": "app/app.jar", "Class": "lang-pkgs", "Type": "jar",
   "Vulnerabilities": [{"VulnerabilityID": "CVE-2024-12798", "PkgName": "ch.qos.logback:logback-core",
     "PkgIdentifier": {"PURL": "pkg:maven/ch.qos.logback/logback-core@1.4.14", "UID": "75945d17fdbc7707"},
     "InstalledVersion": "1.4.14", "FixedVersion": "1.5.13, 1.3.15", "Status": "fixed",
     "Severity": "MEDIUM", "PublishedDate": "2024-12-19T16:15:07.557Z",
     "LastModifiedDate": "2025-01-03T14:15:24.37Z"},
    {"VulnerabilityID": "CVE-2099-0001", "PkgName": "org.acme:legacy", "InstalledVersion": "0.9",
     "Status": "affected", "Severity": "UNKNOWN"}]},
  {"Target": "Dockerfile", "Class": "config", "Type": "dockerfile",
   "Misconfigurations": [{"Type": "Dockerfile Security Check", "ID": "DS002", "Severity": "HIGH", "Status": "FAIL"}]}]}`,
    becomes: `repositories: acme/web
acme/web: CVE-2024-12798 ch.qos.logback:logback-core (Maven), medium, pending, < 1.5.13 -> >= 1.5.13
  discoveredAt 2024-12-19T16:15:07.557Z, updatedAt 2025-01-03T14:15:24.370Z
acme/web: CVE-2099-0001 org.acme:legacy (Maven), low, pending, = 0.9 -> no fixed version
  discoveredAt 2025-03-04T09:11:12.345Z
scan: acme/web 2025-03-04T09:11:12.345Z 2
left out, not-a-dependency: /Results/2/Misconfigurations/0
noted: range-from-fix 1, severity-as-low UNKNOWN 1, range-from-version 1`,
  },
  Grype: {
    about: 'the package URL names the package, and matches that are ignored are left out',
    report: `{"matches": [{"vulnerability": {"id": "GHSA-jfh8-c2jp-5v3q", "severity": "Critical",
    "fix": {"versions": ["2.12.2"], "state": "fixed"}},
   "relatedVulnerabilities": [{"id": "CVE-2021-44228", "namespace": "nvd:cpe", "severity": "Critical"}],
   "matchDetails": [{"found": {"vulnerabilityID": "GHSA-jfh8-c2jp-5v3q", "versionConstraint": ">=2.4,<2.12.2 (maven)"}}],
   "artifact": {"name": "log4j-core", "version": "2.11.0", "type": "java-archive",
    "purl": "pkg:maven/org.apache.logging.log4j/log4j-core@2.11.0"}},
  {"vulnerability": {"id": "CVE-2011-3374", "severity": "Negligible",
    "fix": {"versions": [], "state": "not-fixed"}},
   "relatedVulnerabilities": [],
   "matchDetails": [{"type": "exact-indirect-match", "found": {"versionConstraint": "none (deb)"}}],
   "artifact": {"name": "libapt-pkg6.0", "version": "2.2.4", "type": "deb",
    "purl": "pkg:deb/debian/libapt-pkg6.0@2.2.4?arch=amd64&distro=debian-11"}}],
 "ignoredMatches": [{"vulnerability": {"id": "CVE-2000-0001"}, "appliedIgnoreRules": [{}], "artifact": {"name": "x"}}],
 "source": {"type": "directory", "target": "/home/dana/ledger"},
 "descriptor": {"name": "grype", "version": "0.87.0", "timestamp": "2025-03-04T10:11:12.5Z"}}`,
    becomes: `repositories: imported/ledger
imported/ledger: GHSA-jfh8-c2jp-5v3q org.apache.logging.log4j:log4j-core (Maven), critical, pending, >=2.4,<2.12.2 -> >= 2.12.2
  discoveredAt 2025-03-04T10:11:12.500Z
imported/ledger: CVE-2011-3374 libapt-pkg6.0 (Debian), low, pending, = 2.2.4 -> no fixed version
  discoveredAt 2025-03-04T10:11:12.500Z
scan: imported/ledger 2025-03-04T10:11:12.500Z 2
left out, ignored: /ignoredMatches/0
noted: severity-as-low Negligible 1, range-from-version 1`,
  },
  CycloneDX: {
    about: 'affects names a component, and the analysis is the status',
    report: `{"bomFormat": "CycloneDX", "specVersion": "1.5",
 "metadata": {"timestamp": "2024-05-06T07:08:09Z",
  "component": {"group": "acme", "name": "checkout", "version": "1.0.0"}},
 "components": [{"bom-ref": "c-1", "group": "com.fasterxml.jackson.core", "name": "jackson-databind",
   "version": "2.9.4", "purl": "pkg:maven/com.fasterxml.jackson.core/jackson-databind@2.9.4?type=jar",
   "components": [{"bom-ref": "c-2", "name": "@acme/inner", "version": "3.1.0",
     "purl": "pkg:npm/%40acme/inner@3.1.0"}]}],
 "vulnerabilities": [{"id": "SNYK-JAVA-COMFASTERXMLJACKSONCORE-32111",
   "references": [{"id": "CVE-2018-7489", "source": {"name": "NVD"}}],
   "ratings": [{"score": 5.1, "severity": "medium", "method": "CVSSv2"},
    {"score": 9.8, "severity": "critical", "method": "CVSSv31"}],
   "recommendation": "Upgrade com.fasterxml.jackson.core:jackson-databind to version 2.8.11.1, 2.9.5 or higher.",
   "published": "2021-01-01T00:00:00.000Z", "updated": "2021-02-01T00:00:00.000Z",
   "analysis": {"state": "exploitable"},
   "affects": [{"ref": "c-1",
     "versions": [{"range": "vers:maven/<2.8.11.1", "status": "affected"},
      {"range": "vers:maven/>=2.9.0|<2.9.5", "status": "affected"},
      {"version": "2.9.5", "status": "unaffected"}]},
    {"ref": "urn:cdx:3e671687-395b-41f5/1#nowhere"}]},
  {"id": "GHSA-1111-2222-3333", "ratings": [{"severity": "none"}],
   "analysis": {"state": "not_affected", "justification": "code_not_reachable"},
   "affects": [{"ref": "c-2"}]}]}`,
    becomes: `repositories: acme/checkout
acme/checkout: CVE-2018-7489 com.fasterxml.jackson.core:jackson-databind (Maven), critical, escalated, < 2.8.11.1 || >= 2.9.0, < 2.9.5 -> >= 2.8.11.1, < 2.9.0 || >= 2.9.5
  discoveredAt 2021-01-01T00:00:00.000Z, updatedAt 2021-02-01T00:00:00.000Z
acme/checkout: GHSA-1111-2222-3333 @acme/inner (npm), low, resolved, = 3.1.0 -> unknown
  discoveredAt 2024-05-06T07:08:09.000Z
scan: acme/checkout 2024-05-06T07:08:09.000Z 1
left out, unknown-component: /vulnerabilities/0/affects/1 (urn:cdx:3e671687-395b-41f5/1#nowhere)
noted: severity-as-low none 1, range-from-version 1`,
  },
  SARIF: {
    about: 'results of Trivy, Grype and OSV-Scanner name a package; other results are left out',
    report: String.raw`{"version": "2.1.0",
 "runs": [{"tool": {"driver": {"name": "Trivy",
     "rules": [{"id": "CVE-2024-45590", "defaultConfiguration": {"level": "error"},
       "properties": {"security-severity": "7.5", "tags": ["vulnerability", "HIGH"]}},
      {"id": "GHSA-952p-6rrq-rcjv-micromatch",
       "help": {
        "text": "Vulnerability GHSA-952p-6rrq-rcjv\nSeverity: medium\nPackage: micromatch\nVersion: 4.0.5\nFix Version: 4.0.8\nType: npm\nLocation: /package-lock.json\n"},
       "properties": {"security-severity": "5.3"}},
      {"id": "CVE-2022-24713",
       "deprecatedIds": ["CVE-2022-24713", "RUSTSEC-2022-0013", "GHSA-m5pq-gvj9-9vr8"]},
      {"id": "js/sql-injection", "defaultConfiguration": {"level": "error"}}]}},
   "versionControlProvenance": [{"repositoryUri": "https://github.com/acme/shop.git"}],
   "invocations": [{"executionSuccessful": true, "endTimeUtc": "2024-09-11T10:00:00Z"}],
   "results": [{"ruleId": "CVE-2024-45590", "level": "error",
     "message": {
      "text": "Package: body-parser\nInstalled Version: 1.20.1\nVulnerability CVE-2024-45590\nSeverity: HIGH\nFixed Version: 1.20.3\nLink: [CVE-2024-45590](https://avd.aquasec.com/nvd/cve-2024-45590)"},
     "locations": [{"physicalLocation": {"artifactLocation": {"uri": "web/package-lock.json"}}}]},
    {"ruleId": "GHSA-952p-6rrq-rcjv-micromatch",
     "message": {
      "text": "A medium vulnerability in npm package: micromatch, version 4.0.5 was found at: /package-lock.json"},
     "suppressions": [{"kind": "external"}]},
    {"ruleId": "CVE-2022-24713", "level": "warning",
     "message": {
      "text": "Package 'regex@1.5.1' is vulnerable to 'CVE-2022-24713' (also known as 'RUSTSEC-2022-0013', 'GHSA-m5pq-gvj9-9vr8')."},
     "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///src/Cargo.lock"}}}]},
    {"ruleId": "js/sql-injection", "level": "error",
     "message": {"text": "This query depends on a user-provided value."}}]}]}`,
    becomes: `repositories: acme/shop
acme/shop: CVE-2024-45590 body-parser (npm), high, pending, < 1.20.3 -> >= 1.20.3
  discoveredAt 2024-09-11T10:00:00.000Z
acme/shop: GHSA-952p-6rrq-rcjv micromatch (npm), medium, resolved, < 4.0.8 -> >= 4.0.8
  discoveredAt 2024-09-11T10:00:00.000Z
acme/shop: GHSA-m5pq-gvj9-9vr8 regex (crates.io), medium, pending, = 1.5.1 -> unknown
  discoveredAt 2024-09-11T10:00:00.000Z
scan: acme/shop 2024-09-11T10:00:00.000Z 2
left out, no-package: /runs/0/results/3 (js/sql-injection)
noted: range-from-fix 2, range-from-version 1`,
  },
};

/** Further reports, in other forms or with other entries. */
export const otherReports: readonly Row[] = [
  {
    about:
      'Yarn 4: a line may be a deprecation, which is no finding, and the same line again is the same finding',
    report: `{"value": "nth-check",
 "children": {"ID": 1095141, "Severity": "high", "Vulnerable Versions": "<2.0.1"}}
{"value": "old", "children": {"ID": "old (deprecation)", "Vulnerable Versions": "1.0.0"}}
{"value": "nth-check", "children": {"ID": 1095141, "Severity": "high", "Vulnerable Versions": "<2.0.1"}}`,
    becomes: `imported/a: 1095141 nth-check (npm), high, pending, <2.0.1 -> >= 2.0.1
merged: 1
left out, deprecation: /1 (old)`,
  },
  {
    about: 'Yarn 1: a line for each path becomes one finding, and a summary is none',
    report: `{"type": "auditAdvisory",
 "data": {"advisory": {"id": 1, "module_name": "ajv", "severity": "low", "vulnerable_versions": "<6"}}}
{"type": "auditAdvisory",
 "data": {"advisory": {"id": 1, "module_name": "ajv", "severity": "low", "vulnerable_versions": "<6"}}}
{"type": "auditSummary", "data": {"vulnerabilities": {"moderate": 2}, "totalDependencies": 9}}`,
    becomes: `imported/a: 1 ajv (npm), low, pending, <6 -> >= 6
merged: 1`,
  },
  {
    about: 'OSV: an advisory that was withdrawn is no finding, and neither is one of commits',
    report: `[{"id": "GHSA-jf85-cpcp-j695", "modified": "2023-09-05T19:21:31Z",
  "withdrawn": "2024-01-01T00:00:00Z",
  "affected": [{"package": {"ecosystem": "npm", "name": "lodash"},
    "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "4.17.12"}]}]}]},
 {"id": "GHSA-jf85-cpcp-j695", "modified": "2023-09-05T19:21:31Z",
  "affected": [{"ranges": [{"type": "GIT", "events": []}]}]}]`,
    becomes: `left out, withdrawn: /0 (GHSA-jf85-cpcp-j695)
left out, no-package: /1/affected/0 (GHSA-jf85-cpcp-j695)`,
  },
  {
    about: 'osv-scanner: a vulnerability that was withdrawn is no finding',
    report: `{"results": [{"packages": [{"package": {"name": "lodash", "version": "4.17.11", "ecosystem": "npm"},
 "vulnerabilities": [{"id": "GHSA-jf85-cpcp-j695", "withdrawn": "2024-01-01T00:00:00Z"}]}]}]}`,
    becomes: `left out, withdrawn: /results/0/packages/0/vulnerabilities/0 (GHSA-jf85-cpcp-j695)`,
  },
  {
    about: 'Trivy: the workloads of a Kubernetes cluster are repositories',
    report: `{"ClusterName": "minikube",
 "Resources": [{"Namespace": "shop", "Kind": "Deployment", "Name": "api",
   "Results": [{"Target": "acme/api:1 (debian 12)", "Class": "os-pkgs", "Type": "debian",
     "Vulnerabilities": [{"VulnerabilityID": "CVE-2023-0464", "PkgName": "libssl3", "InstalledVersion": "3.0.7-1",
       "FixedVersion": "3.0.9-1", "Severity": "HIGH"}]}]},
  {"Namespace": "shop", "Kind": "Deployment", "Name": "web",
   "Results": [{"Target": "acme/api:1 (debian 12)", "Class": "os-pkgs", "Type": "debian", "Vulnerabilities": []}]},
  {"Namespace": "shop", "Kind": "Deployment", "Name": "jobs",
   "Results": [{"Target": "acme/api:1 (debian 12)", "Class": "os-pkgs", "Type": "debian",
     "Vulnerabilities": [{"VulnerabilityID": "CVE-2023-0464", "PkgName": "libssl3", "InstalledVersion": "3.0.7-1",
       "FixedVersion": "3.0.9-1", "Severity": "HIGH"}]}]},
  {"Kind": "ClusterRole", "Name": "system:admin",
   "Results": [{"Target": "ClusterRole/system:admin", "Class": "config",
     "Misconfigurations": [{"ID": "KSV046"}]}]}]}`,
    becomes: `repositories: shop/api, shop/web, shop/jobs
shop/api: CVE-2023-0464 libssl3 (Debian), high, pending, < 3.0.9-1 -> >= 3.0.9-1
shop/jobs: CVE-2023-0464 libssl3 (Debian), high, pending, < 3.0.9-1 -> >= 3.0.9-1
left out, not-a-dependency: /Resources/3/Results/0/Misconfigurations/0
noted: range-from-fix 2`,
  },
  {
    about: 'Trivy: a resource that could not be scanned is named',
    report: `{"ClusterName": "minikube",
 "Resources": [{"Namespace": "shop", "Kind": "Pod", "Name": "api", "Error": "no such image"}, "pod"]}`,
    becomes: `left out, not-scanned: /Resources/0 (api)
left out, malformed: /Resources/1 (expected resource, got "pod")`,
  },
  {
    about: 'SARIF of Snyk: the rule names the module, and a fix the version',
    report: String.raw`{"version": "2.1.0",
 "runs": [{"tool": {"driver": {"name": "x",
     "rules": [{"id": "SNYK-JS-LODASH-590103",
       "shortDescription": {"text": "High severity - Prototype Pollution vulnerability in lodash"},
       "fullDescription": {"text": "(CVE-2020-8203) lodash@4.17.15"},
       "help": {"text": "",
        "markdown": "* Package Manager: npm\n* Vulnerable module: lodash\n* Introduced through: a@1.0"},
       "properties": {"tags": ["security", "CWE-400", "npm"], "cvssv3_baseScore": 7.4,
        "security-severity": "7.4"}}]}},
   "results": [{"ruleId": "SNYK-JS-LODASH-590103", "level": "error",
     "message": {
      "text": "This file introduces a vulnerable lodash package with a high severity vulnerability."},
     "locations": [{"logicalLocations": [{"fullyQualifiedName": "lodash@4.17.15"}]}],
     "fixes": [{"description": {"text": "Upgrade to lodash@4.17.20"}}]}]}]}`,
    becomes: `imported/a: CVE-2020-8203 lodash (npm), high, pending, = 4.17.15 -> >= 4.17.20
noted: range-from-version 1`,
  },
  {
    about: 'SARIF of older versions of Grype: the message names the package',
    report: `{"version": "2.1.0",
 "runs": [{"tool": {"driver": {"name": "x",
     "rules": [{"id": "CVE-1999-0002", "properties": {"security-severity": "critical"}}]}},
   "results": [{"ruleId": "CVE-1999-0002",
     "message": {
      "text": "The path /some/path/ reports package-2 at version 2.0.1  which would result in a vulnerable (deb) package installed"}}]}]}`,
    becomes: `imported/a: CVE-1999-0002 package-2 (Debian), critical, pending, = 2.0.1 -> unknown
noted: range-from-version 1`,
  },
  {
    about: 'SARIF of any tool: a package URL names the package',
    report: `{"version": "2.1.0",
 "runs": [{"tool": {"driver": {"name": "x",
     "rules": [{"id": "CVE-2021-44228", "defaultConfiguration": {"level": "error"}}]}},
   "results": [{"ruleId": "CVE-2021-44228", "message": {"text": "A dependency is vulnerable."},
     "locations": [{"logicalLocations": [{"fullyQualifiedName": "pkg:maven/org.acme/web@1.0"}]}]}]}]}`,
    becomes: `imported/a: CVE-2021-44228 org.acme:web (Maven), high, pending, = 1.0 -> unknown
noted: range-from-version 1`,
  },
  {
    about:
      'Grype: text that no storage can keep leaves out its entry, or the range alone, and no other entry',
    report: `{"matches": [{"vulnerability": {"id": "CVE-2020-0001"}, "artifact": {"purl": "pkg:npm/a%00b@1"}},
  {"vulnerability": {"id": "CVE-2020-0001"}, "artifact": {"purl": "pkg:npm/fine@1"}},
  {"vulnerability": {"id": "CVE-2020-0001"}, "artifact": {"purl": "pkg:npm/a@1%00"}}]}`,
    becomes: `imported/a: CVE-2020-0001 fine (npm), undefined, pending, = 1 -> unknown
imported/a: CVE-2020-0001 a (npm), undefined, pending, undefined -> unknown
left out, no-package: /matches/0 (CVE-2020-0001)
noted: range-from-version 1`,
  },
  {
    about: 'npm 7: an object in the place of a list is not taken for a clean scan',
    report: `{"auditReportVersion": 2, "vulnerabilities": {"a": {"via": {"source": 1}}}}`,
    becomes: `left out, malformed: /vulnerabilities/a/via (expected array, got an object)`,
  },
  {
    about: 'Trivy: an object in the place of a list is not taken for a clean scan',
    report: `{"SchemaVersion": 2, "ArtifactName": "a", "Results": {}}`,
    becomes: `left out, malformed: /Results (expected array, got an object)`,
  },
];

/** The reports of all formats as values. */
export const samples: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(formats).map(([name, { report }]) => [name, JSON.parse(report)]),
);
