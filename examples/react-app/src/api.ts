/** Empty: the development server forwards requests. Otherwise the API is called directly, by CORS. */
const base: string = import.meta.env.VITE_TRIAGE_API ?? '';

export const call = (path: string, init?: RequestInit) =>
  fetch(`${base}${path}`, { credentials: 'include', ...init });

export const logIn = (email: string, password: string) =>
  call('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
