import { useEffect, useState } from 'react';
import type { Finding, FindingPage } from 'triage-api/contract';
import { call } from './api.ts';

const severities: Finding['severity'][] = ['critical', 'high', 'medium', 'low'];

type State = { message: string; items: readonly Finding[] };

export const Findings = ({ onSignedOut }: { onSignedOut?: () => void }) => {
  const [severity, setSeverity] = useState('');
  const [state, setState] = useState<State>({ message: 'Loading…', items: [] });

  useEffect(() => {
    const aborted = new AbortController();
    const load = async () => {
      const query = new URLSearchParams({ limit: '100', ...(severity && { severity }) });
      const answer = await call(`/api/v1/findings?${query}`, { signal: aborted.signal });
      if (answer.status === 401) onSignedOut?.();
      else if (!answer.ok)
        setState({ message: 'The findings cannot be loaded. Please try again.', items: [] });
      else {
        const { items }: FindingPage = await answer.json();
        setState({ message: `${items.length} findings`, items });
      }
    };
    load().catch((error: Error) => {
      if (!aborted.signal.aborted) setState({ message: error.message, items: [] });
    });
    return () => aborted.abort();
  }, [severity, onSignedOut]);

  return (
    <main>
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
