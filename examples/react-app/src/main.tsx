import { type FormEvent, useCallback, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { logIn } from './api.ts';
import { Findings } from './findings.tsx';

const LogIn = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const [error, setError] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    try {
      const answer = await logIn(String(form.get('email')), String(form.get('password')));
      if (answer.ok) onSignedIn();
      else setError((await answer.json()).error);
    } catch {
      setError('You cannot be logged in now. Please try again.');
    }
  };
  return (
    <main>
      <h1>Log in</h1>
      <form onSubmit={submit}>
        <label>
          E-mail <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit">Log in</button>
        <p>Demo account: dana@acme.test with the password acme-password</p>
        <p role="alert">{error}</p>
      </form>
    </main>
  );
};

const App = () => {
  const [isSignedIn, setSignedIn] = useState(true);
  const onSignedOut = useCallback(() => setSignedIn(false), []);
  return isSignedIn ? <Findings onSignedOut={onSignedOut} /> : <LogIn onSignedIn={() => setSignedIn(true)} />;
};

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
