import { Counter, type Registry } from 'prom-client';
import { type SecurityEvent, securityEvents } from '../../accounts/account-flow.js';

/** Security events, and sessions that were started. */
export const securityMetrics = (registry: Registry): ((event: SecurityEvent) => void) => {
  const registers = [registry];
  const events = new Counter({
    name: 'triage_security_events_total',
    help: 'Logins, sign-ups, API tokens and refused requests, by the names that the log has.',
    labelNames: ['event'],
    registers,
  });
  const sessions = new Counter({
    name: 'triage_sessions_started_total',
    help: 'Sessions that a login or a sign-up has started.',
    registers,
  });
  // A rate can only be told from a counter that was there before the first event.
  for (const { event } of Object.values(securityEvents)) events.inc({ event }, 0);
  return ({ _tag }) => {
    events.inc({ event: securityEvents[_tag].event });
    if (_tag === 'LoggedIn' || _tag === 'SignedUp') sessions.inc();
  };
};
