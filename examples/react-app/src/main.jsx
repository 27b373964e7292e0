import { useCallback, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { logIn } from './api.js';
import { Findings } from './findings.jsx';

const LogIn = ({ onSignedIn }) => {
  const [error, setError] = useState('');
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    try {
      const answer = await logIn(form.get('email'), form.get('password'));
      if (answer.ok) onSignedIn();
      else setError((await answer.json()).error);
    } catch (failure) {
      setError(failure.message);
    }
  };
  return (
    <form onSubmit={submit}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit">Log in</button>
      <p role="alert">{error}</p>
    </form>
  );
};

const App = () => {
  const [isSignedIn, setSignedIn] = useState(true);
  const onSignedOut = useCallback(() => setSignedIn(false), []);
  return isSignedIn ? <Findings onSignedOut={onSignedOut} /> : <LogIn onSignedIn={() => setSignedIn(true)} />;
};

createRoot(document.getElementById('root')).render(<App />);
