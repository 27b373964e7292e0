import { useEffect, useState } from 'react';
import type { Finding, FindingPage } from 'triage-api/contract';
import { call } from './api.ts';

const severities: Finding['severity'][] = ['critical', 'high', 'medium', 'low'];

/** Reads all pages, because a filter may empty one of them; null: nobody is signed in. */
const load = async (severity: string, signal: AbortSignal): Promise<readonly Finding[] | null> => {
  const found = new Map<string, Finding>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({ page: String(page), limit: '100', ...(severity && { severity }) });
    const answer = await call(`/api/v1/findings?${query}`, { signal });
    if (answer.status === 401 || answer.redirected) return null;
    const body: Partial<FindingPage> | null = answer.ok ? await answer.json() : null;
    if (!Array.isArray(body?.items)) throw new Error(`status ${answer.status}, and no list`);
    for (const finding of body.items) found.set(finding.id, finding);
    pages = body.totalPages ?? 1;
  }
  return [...found.values()];
};

type State = { message: string; items: readonly Finding[] };

export const Findings = ({ onSignedOut }: { onSignedOut?: () => void }) => {
  const [severity, setSeverity] = useState('');
  const [state, setState] = useState<State>({ message: 'Loading…', items: [] });

  useEffect(() => {
    const aborted = new AbortController();
    load(severity, aborted.signal).then(
      (items) => (items ? setState({ message: `${items.length} findings`, items }) : onSignedOut?.()),
      () => {
        if (!aborted.signal.aborted)
          setState({ message: 'The findings cannot be loaded. Please try again.', items: [] });
      },
    );
    return () => aborted.abort();
  }, [severity, onSignedOut]);

  return (
    <main style={{ overflowWrap: 'anywhere' }}>
      <h1>Findings</h1>
      <label>
        Severity{' '}
        <select value={severity} onChange={(event) => setSeverity(event.target.value)}>
          <option value="">all</option>
          {severities.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <p role="status">{state.message}</p>
      <ul>
        {state.items.map(({ id, package: name, severity }) => (
          <li key={id}>
            {name}: {severity}
          </li>
        ))}
      </ul>
    </main>
  );
};
