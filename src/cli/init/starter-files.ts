/** The name of the tenant that `init` writes. Its credentials are made from it. */
export const starterName = 'team';

/** A sparse fixture that shows the most important fields. */
export const starterFixture = (schema: string): string =>
  `{
  "$schema": ${JSON.stringify(schema)},
  "findings": [
    { "repo": "team/web", "package": "lodash", "severity": "high", "pullRequest": { "prState": "open" } },
    { "repo": "team/web", "package": "minimist", "status": "escalated" },
    { "repo": "team/web", "package": "axios", "status": "resolved", "pullRequest": { "prState": "merged" } },
    { "repo": "team/api", "package": "requests" }
  ]
}
`;

type Commands = Readonly<{ serve: string; check: string; complete: string; script: string }>;

/** Explains the parts of the fixture, because JSON has no comments. */
export const starterReadme = ({ serve, check, complete, script }: Commands): string =>
  `# Mock data for triage-api

Each JSON file here is a tenant: a user, and what this user sees. What a file leaves out is completed, the same each time.

- \`$schema\`: your editor completes and explains every key with it; the server does not need it.
- \`findings\`: a vulnerable \`package\` of a \`repo\`. Add \`severity\`, \`status\`, or any other field of the API that matters to you.
- \`pullRequest\`: the fix of a finding. \`prState\` is "open", "merged", "closed", "cancelled", null or any other text.
- Sign in as \`user@${starterName}.test\` with \`${starterName}-password\`. In requests: \`Cookie: session=${starterName}-session\` or \`Authorization: Bearer ${starterName}-token\`.
- Serve it: \`${serve}\`; changes are served as soon as you save them.
- Check it: \`${check}\`. Print it with all that is completed: \`${complete}\`.
- As a script in package.json: \`${script}\`.
`;
