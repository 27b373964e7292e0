/**
 * The part of the script of the API reference that shows a request as a command. It has the kind of
 * credential that was sent, never its value: as in the explorer, curl reads the session from a file of
 * cookies and the token from a variable of the shell.
 */
export const docsCurl = `
const quote = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";

// The browser sends the cookie unless there is a token. The mock controls take no session.
const sendsCookie = (url, hasToken) =>
  !hasToken && reference.dataset.signedIn === 'yes' && new URL(url, location.href).pathname.startsWith('/api/');

// curl sends it by itself.
const isDefault = ([name, value]) => name.toLowerCase() === 'accept' && value === '*/*';

const isToken = ([name]) => name.toLowerCase() === 'authorization';

const curlCommand = (request) => {
  const { url, method = 'GET', headers = {}, body } = request.toJS();
  const entries = Object.entries(headers);
  const hasToken = entries.some(isToken);
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X ' + method]),
    ...(sendsCookie(url, hasToken) ? ['-b triage.cookies'] : []),
    ...(hasToken ? ['-H "Authorization: Bearer $TRIAGE_TOKEN"'] : []),
    ...entries.filter((entry) => !isToken(entry) && !isDefault(entry)).map(([name, value]) => '-H ' + quote(name + ': ' + value)),
    ...(typeof body === 'string' ? ['--data-raw ' + quote(body)] : []),
    quote(new URL(url, location.href).href),
  ].join(' ');
};

const logInCommand = () =>
  'curl -c triage.cookies --data-urlencode ' + quote('email=' + reference.dataset.email) +
  " --data-urlencode 'password=YOUR-PASSWORD' " + quote(location.origin + '/login');

const credentialNote = (request, element) => {
  const { url, headers = {} } = request.toJS();
  const hasToken = Object.entries(headers).some(isToken);
  if (hasToken) {
    return ['Sent with the bearer token. Its value is not shown: set it with ', element('code', null, 'export TRIAGE_TOKEN=…'), '.'];
  }
  if (sendsCookie(url, hasToken)) {
    return ['Sent with the session cookie. Its value is not shown; this command gets a session for curl: ',
      element('code', null, logInCommand())];
  }
  return ['Sent without a credential.'];
};
`;
