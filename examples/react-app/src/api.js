/** Empty: the development server forwards requests. Otherwise the API is called directly, by CORS. */
const base = import.meta.env.VITE_TRIAGE_API ?? '';

export const call = (path, init) => fetch(`${base}${path}`, { credentials: 'include', ...init });

export const logIn = (email, password) =>
  call('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
