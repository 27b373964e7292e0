import type { Examples } from './example.js';

/** What the server answered over the shipped fixtures at 2026-11-20T12:00:00Z. Written by `npm run derive`, kept true by a test. */
export const examples: Examples = {
  operations: {
    listConnectedRepos: {
      '200': [
        {
          key: 'repositories',
          title: 'Four repositories',
          request: 'GET /api/v1/repos',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"2YZlHlhpFKHLmSyKC3LfVfZxB9nujPTCnMceRV0cAzU"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: [
            {
              id: 'repo_webshop',
              owner: 'demo-company',
              repo: 'webshop',
              defaultBranch: 'main',
              isDemoRow: true,
              lastScan: {
                id: 'scan_0001',
                startedAt: '2026-11-20T09:46:00.000Z',
                finishedAt: '2026-11-20T09:47:03.000Z',
                status: 'completed',
                findingsSeen: 6,
                draftsOpened: 2,
                error: null,
              },
              scanStatusBadge: 'attention',
              openPrCount: 2,
              status: 'needs_review',
              openAdvisoryCount: 6,
              lastScanAt: '2026-11-20T09:46:00.000Z',
              lastScanRelative: '2 hours ago',
              hasOpenFixPr: true,
              openFixDraftId: 'fix_0001',
              ownerInitial: 'D',
            },
            {
              id: 'repo_payments',
              owner: 'demo-company',
              repo: 'payments-service',
              defaultBranch: 'main',
              isDemoRow: true,
              lastScan: {
                id: 'scan_0003',
                startedAt: '2026-11-20T05:19:00.000Z',
                finishedAt: '2026-11-20T05:21:01.000Z',
                status: 'completed',
                findingsSeen: 3,
                draftsOpened: 2,
                error: null,
              },
              scanStatusBadge: 'attention',
              openPrCount: 2,
              status: 'fix_open',
              openAdvisoryCount: 3,
              lastScanAt: '2026-11-20T05:19:00.000Z',
              lastScanRelative: '6 hours ago',
              hasOpenFixPr: true,
              openFixDraftId: 'fix_0008',
              ownerInitial: 'D',
            },
            {
              id: 'repo_reports',
              owner: 'demo-company',
              repo: 'nightly-reports',
              defaultBranch: 'main',
              isDemoRow: true,
              lastScan: {
                id: 'scan_0005',
                startedAt: '2026-11-19T03:00:00.000Z',
                finishedAt: '2026-11-19T03:00:34.000Z',
                status: 'completed',
                findingsSeen: 0,
                draftsOpened: 0,
                error: null,
              },
              scanStatusBadge: 'healthy',
              openPrCount: 0,
              status: 'clear',
              openAdvisoryCount: 0,
              lastScanAt: '2026-11-19T03:00:00.000Z',
              lastScanRelative: '1 day ago',
              hasOpenFixPr: false,
              openFixDraftId: null,
              ownerInitial: 'D',
            },
            {
              id: 'repo_docs',
              owner: 'demo-company',
              repo: 'docs-site',
              defaultBranch: 'main',
              isDemoRow: true,
              lastScan: {
                id: 'scan_0006',
                startedAt: '2026-11-17T11:00:00.000Z',
                finishedAt: '2026-11-17T11:00:22.000Z',
                status: 'completed',
                findingsSeen: 0,
                draftsOpened: 0,
                error: null,
              },
              scanStatusBadge: 'healthy',
              openPrCount: 0,
              status: 'clear',
              openAdvisoryCount: 0,
              lastScanAt: '2026-11-17T11:00:00.000Z',
              lastScanRelative: '3 days ago',
              hasOpenFixPr: false,
              openFixDraftId: null,
              ownerInitial: 'D',
            },
          ],
        },
        {
          key: 'nothing',
          title: 'Nothing connected yet',
          request: 'GET /api/v1/repos',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: [],
        },
      ],
      '400': [
        {
          key: 'strict',
          title: 'An unknown parameter, where the server is strict',
          request: 'GET /api/v1/repos?pgae=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'unknown parameter "pgae"; this operation takes no query parameters',
          },
        },
      ],
      '401': [
        {
          key: 'unauthorized',
          title: 'No credentials',
          request: 'GET /api/v1/repos',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'WWW-Authenticate': 'Cookie realm="triage-api", cookie-name="session"',
          },
          body: {
            error: 'Unauthorized',
          },
        },
      ],
      '500': [
        {
          key: 'fault',
          title: 'A fault of the server',
          request: 'GET /api/v1/repos',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'Internal server error',
          },
        },
      ],
      '503': [
        {
          key: 'unavailable',
          title: 'A storage that cannot be reached',
          request: 'GET /api/v1/repos',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'Retry-After': '1',
          },
          body: {
            error: 'Service unavailable',
          },
        },
      ],
    },
    listFindings: {
      '200': [
        {
          key: 'page',
          title: 'The first page of two',
          request: 'GET /api/v1/findings?limit=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"OrwpUxY5buM7qOwibQAhh8wusT8ViU5sTZyF_9vrC0A"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            items: [
              {
                id: 'fix_0007',
                repoId: 'repo_storefront',
                advisoryId: 'GHSA-72xf-g2v4-qvf3',
                package: 'tough-cookie',
                ecosystem: 'npm',
                vulnerableRange: '< 4.1.3',
                fixedRange: '>= 4.1.3',
                severity: 'medium',
                reachability: 0.04,
                exploitSignal: 0.1,
                status: 'pending',
                ciStatus: 'none',
                discoveredAt: '2026-11-19T17:25:32.427Z',
                updatedAt: '2026-11-20T04:03:11.962Z',
                reconciledAt: null,
              },
              {
                id: 'fix_0025',
                repoId: 'repo_bff',
                advisoryId: 'GHSA-9wv6-86v2-598j',
                package: 'path-to-regexp',
                ecosystem: 'npm',
                vulnerableRange: '< 0.1.10',
                fixedRange: '>= 0.1.10',
                severity: 'high',
                reachability: 0.86,
                exploitSignal: 0.36,
                status: 'drafting',
                ciStatus: 'failing',
                discoveredAt: '2026-11-19T12:55:51.409Z',
                updatedAt: '2026-11-20T09:16:59.845Z',
                reconciledAt: null,
              },
            ],
            page: 1,
            limit: 2,
            totalItems: 41,
            totalPages: 21,
          },
        },
        {
          key: 'narrowed',
          title: 'A page narrowed by severity, its totals not',
          request: 'GET /api/v1/findings?limit=5&severity=critical',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"A1rZIeboAQwX7iIeVMQYkZ3jMmLDsdJp0E5R7WfUiV8"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            items: [],
            page: 1,
            limit: 5,
            totalItems: 41,
            totalPages: 9,
          },
        },
        {
          key: 'beyond',
          title: 'A page beyond the last',
          request: 'GET /api/v1/findings?page=99',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"Dg7PZeBitvhXQnNUByNyjuBTeG5aUoBkvDvEQcwQlQo"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            items: [],
            page: 99,
            limit: 25,
            totalItems: 41,
            totalPages: 2,
          },
        },
        {
          key: 'warned',
          title: 'A misspelt parameter, ignored with a warning',
          request: 'GET /api/v1/findings?limit=1&sevrity=low',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"-TwlbS-K6tDFDJmvorj0Y7v0DkYzAriZxI6I9RREl9Q"',
            Vary: 'Origin, Cookie, Authorization',
            'X-Triage-Warning': 'ignored unknown query parameters: "sevrity"',
          },
          body: {
            items: [
              {
                id: 'fix_0007',
                repoId: 'repo_storefront',
                advisoryId: 'GHSA-72xf-g2v4-qvf3',
                package: 'tough-cookie',
                ecosystem: 'npm',
                vulnerableRange: '< 4.1.3',
                fixedRange: '>= 4.1.3',
                severity: 'medium',
                reachability: 0.04,
                exploitSignal: 0.1,
                status: 'pending',
                ciStatus: 'none',
                discoveredAt: '2026-11-19T17:25:32.427Z',
                updatedAt: '2026-11-20T04:03:11.962Z',
                reconciledAt: null,
              },
            ],
            page: 1,
            limit: 1,
            totalItems: 41,
            totalPages: 41,
          },
        },
      ],
      '400': [
        {
          key: 'refused',
          title: 'A parameter that does not fit',
          request: 'GET /api/v1/findings?page=0',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'page: expected a whole number from 1 to 9007199254740991, got "0"',
          },
        },
        {
          key: 'strict',
          title: 'An unknown parameter, where the server is strict',
          request: 'GET /api/v1/findings?pgae=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'unknown parameter "pgae"; did you mean "page"?',
          },
        },
      ],
      '401': [
        {
          key: 'unauthorized',
          title: 'No credentials',
          request: 'GET /api/v1/findings',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'WWW-Authenticate': 'Cookie realm="triage-api", cookie-name="session"',
          },
          body: {
            error: 'Unauthorized',
          },
        },
      ],
      '500': [
        {
          key: 'fault',
          title: 'A fault of the server',
          request: 'GET /api/v1/findings',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'Internal server error',
          },
        },
      ],
      '503': [
        {
          key: 'unavailable',
          title: 'A storage that cannot be reached',
          request: 'GET /api/v1/findings',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'Retry-After': '1',
          },
          body: {
            error: 'Service unavailable',
          },
        },
      ],
    },
    getFinding: {
      '200': [
        {
          key: 'finding',
          title: 'A finding',
          request: 'GET /api/v1/findings/fix_0001',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"JQFytHjrWEdP3iBOCTPghzdzWPTsiCW5srp2S45lajA"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            id: 'fix_0001',
            repoId: 'repo_storefront',
            advisoryId: 'GHSA-35jh-r3h4-6jhm',
            package: 'lodash',
            ecosystem: 'npm',
            vulnerableRange: '< 4.17.21',
            fixedRange: '>= 4.17.21',
            severity: 'high',
            reachability: 0.91,
            exploitSignal: 0.46,
            status: 'drafting',
            ciStatus: 'passing',
            discoveredAt: '2026-11-17T01:07:08.595Z',
            updatedAt: '2026-11-20T04:23:59.716Z',
            reconciledAt: null,
            prCount: 1,
          },
        },
      ],
      '400': [
        {
          key: 'strict',
          title: 'An unknown parameter, where the server is strict',
          request: 'GET /api/v1/findings/fix_0001?pgae=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'unknown parameter "pgae"; this operation takes no query parameters',
          },
        },
      ],
      '401': [
        {
          key: 'unauthorized',
          title: 'No credentials',
          request: 'GET /api/v1/findings/fix_0001',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'WWW-Authenticate': 'Cookie realm="triage-api", cookie-name="session", Bearer realm="triage-api"',
          },
          body: {
            error: 'Unauthorized',
          },
        },
      ],
      '404': [
        {
          key: 'missing',
          title: 'No such finding of yours',
          request: 'GET /api/v1/findings/nope',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'finding not found',
          },
        },
      ],
      '500': [
        {
          key: 'fault',
          title: 'A fault of the server',
          request: 'GET /api/v1/findings/fix_0001',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'Internal server error',
          },
        },
      ],
      '503': [
        {
          key: 'unavailable',
          title: 'A storage that cannot be reached',
          request: 'GET /api/v1/findings/fix_0001',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'Retry-After': '1',
          },
          body: {
            error: 'Service unavailable',
          },
        },
      ],
    },
    listPrs: {
      '200': [
        {
          key: 'open',
          title: 'Open pull requests',
          request: 'GET /api/v1/prs?status=open&limit=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"8n8nuBB6jhIKhHt9cDMHG-VLyCciDSI4uS0ilFzVWU8"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            items: [
              {
                id: 'fix_0025',
                repoId: 'repo_bff',
                repo: {
                  owner: 'acme-corp',
                  repo: 'mobile-bff',
                },
                advisoryId: 'GHSA-9wv6-86v2-598j',
                package: 'path-to-regexp',
                fromVersion: '0.1.7',
                toVersion: '0.1.10',
                branch: 'triage/path-to-regexp-0.1.10',
                hasCodemod: true,
                codemodSummary: "- app.get('/files/:path*', download);\n+ app.get('/files/*path', download);",
                ciStatus: 'failing',
                prUrl: 'https://github.example/acme-corp/mobile-bff/pull/409',
                prState: 'open',
                createdAt: '2026-11-19T18:27:51.443Z',
                updatedAt: '2026-11-20T09:02:59.816Z',
                reconciledAt: null,
              },
              {
                id: 'fix_0028',
                repoId: 'repo_bff',
                repo: {
                  owner: 'acme-corp',
                  repo: 'mobile-bff',
                },
                advisoryId: 'GHSA-pxg6-pf52-xh8x',
                package: 'cookie',
                fromVersion: '0.6.0',
                toVersion: '0.7.0',
                branch: 'triage/cookie-0.7.0',
                hasCodemod: false,
                codemodSummary: '',
                ciStatus: 'passing',
                prUrl: 'https://github.example/acme-corp/mobile-bff/pull/416',
                prState: 'open',
                createdAt: '2026-11-19T15:34:11.271Z',
                updatedAt: '2026-11-20T01:39:59.325Z',
                reconciledAt: null,
              },
            ],
            page: 1,
            limit: 2,
            totalItems: 12,
            totalPages: 6,
          },
        },
        {
          key: 'closed',
          title: 'Closed ones, whose stored state may be another word or null',
          request: 'GET /api/v1/prs?status=closed&limit=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            ETag: '"_1LgTni8nEzey5-CkTjs2wrZqkfLFIgOOvwbhN_NA3s"',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            items: [
              {
                id: 'fix_0005',
                repoId: 'repo_storefront',
                repo: {
                  owner: 'acme-corp',
                  repo: 'storefront',
                },
                advisoryId: 'GHSA-f2jv-r9rf-7988',
                package: 'handlebars',
                fromVersion: '4.7.6',
                toVersion: '4.7.7',
                branch: 'triage/handlebars-4.7.7',
                hasCodemod: true,
                codemodSummary:
                  '- const template = Handlebars.compile(source, { compat: true });\n+ const template = Handlebars.compile(source, { strict: true });',
                ciStatus: 'failing',
                prUrl: 'https://github.example/acme-corp/storefront/pull/333',
                prState: 'closed',
                createdAt: '2026-11-07T22:38:30.455Z',
                updatedAt: '2026-11-10T23:23:59.624Z',
                reconciledAt: '2026-11-10T23:27:59.624Z',
              },
              {
                id: 'fix_0013',
                repoId: 'repo_checkout',
                repo: {
                  owner: 'acme-corp',
                  repo: 'checkout-api',
                },
                advisoryId: 'GHSA-36p3-wjmg-h94x',
                package: 'org.springframework:spring-beans',
                fromVersion: '5.3.17',
                toVersion: '5.3.18',
                branch: 'triage/spring-beans-5.3.18',
                hasCodemod: false,
                codemodSummary: '',
                ciStatus: 'none',
                prUrl: 'https://github.example/acme-corp/checkout-api/pull/372',
                prState: null,
                createdAt: '2026-11-07T09:55:37.779Z',
                updatedAt: '2026-11-09T11:18:59.102Z',
                reconciledAt: null,
              },
            ],
            page: 1,
            limit: 2,
            totalItems: 7,
            totalPages: 4,
          },
        },
      ],
      '400': [
        {
          key: 'refused',
          title: 'A parameter that does not fit',
          request: 'GET /api/v1/prs?status=cancelled',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'status: expected one of open, merged, closed, got "cancelled"',
          },
        },
        {
          key: 'strict',
          title: 'An unknown parameter, where the server is strict',
          request: 'GET /api/v1/prs?pgae=2',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'unknown parameter "pgae"; did you mean "page"?',
          },
        },
      ],
      '401': [
        {
          key: 'unauthorized',
          title: 'No credentials',
          request: 'GET /api/v1/prs',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'WWW-Authenticate': 'Cookie realm="triage-api", cookie-name="session", Bearer realm="triage-api"',
          },
          body: {
            error: 'Unauthorized',
          },
        },
      ],
      '500': [
        {
          key: 'fault',
          title: 'A fault of the server',
          request: 'GET /api/v1/prs',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
          },
          body: {
            error: 'Internal server error',
          },
        },
      ],
      '503': [
        {
          key: 'unavailable',
          title: 'A storage that cannot be reached',
          request: 'GET /api/v1/prs',
          headers: {
            'Cache-Control': 'private, no-cache',
            Vary: 'Origin, Cookie, Authorization',
            'Retry-After': '1',
          },
          body: {
            error: 'Service unavailable',
          },
        },
      ],
    },
  },
  others: {
    '404': [
      {
        key: 'path',
        title: 'A path that does not exist',
        request: 'GET /api/v1/nope',
        headers: {
          'Cache-Control': 'private, no-cache',
          Vary: 'Origin, Cookie, Authorization',
        },
        body: {
          error: 'Not found',
        },
      },
    ],
    '405': [
      {
        key: 'method',
        title: 'A method that there is not',
        request: 'DELETE /api/v1/repos',
        headers: {
          'Cache-Control': 'private, no-cache',
          Vary: 'Origin, Cookie, Authorization',
          Allow: 'GET, HEAD, OPTIONS',
        },
        body: {
          error: 'Method not allowed',
        },
      },
    ],
  },
};
