import type { LargestRequest, Part } from './request.ts';

/** Pages, probes, forms and logins, most of them by nobody known. */
export const pages: Part = (stage, { ask }) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const everyStatus = [200, 302, 303, 400, 401, 403, 404, 405, 410, 413, 415, 429] as const;
  const get = (path: string): LargestRequest => ({
    name: path.slice(0, 40),
    statuses: everyStatus,
    sent: { method: 'GET', path },
  });
  const post = (path: string, body: string, headers: Record<string, string> = form): LargestRequest => ({
    name: `${path} with ${Math.round(body.length / 1024)} KB`,
    statuses: everyStatus,
    sent: { path, body, headers },
  });
  const login = {
    action: 'create',
    properties: { type: 'login', email: `${'x'.repeat(200)}@example.com`, password: 'p'.repeat(1000) },
  };
  return [
    ...[
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/',
      '/sso/signed-out',
      `/sso/${'x'.repeat(200)}/login`,
    ].map(get),
    get(`/sso/callback?state=${'x'.repeat(7000)}`),
    post('/sso/prove', `state=${'x'.repeat(7_000)}&password=${'%41'.repeat(2_000)}`),
    post(`/sso/01890a5d-ac96-774b-bcce-b302099a8057/backchannel`, `logout_token=${'x'.repeat(900_000)}`),
    post('/sso/token', JSON.stringify({ code: 'x'.repeat(60_000), verifier: 'y'.repeat(60_000) }), {}),
    post('/sso/logout', JSON.stringify({ key: 'x', token: 'y'.repeat(100_000) }), {}),
    {
      ...ask('a login', 'authorization', login, everyStatus),
      sent: { path: '/0.1.0/authorization', body: JSON.stringify(login) },
    },
    ask(
      'a long password',
      'authorization',
      { ...login, properties: { ...login.properties, password: 'p'.repeat(900_000) } },
      everyStatus,
    ),
    ask('an unknown method', 'data', {}, everyStatus, stage.owner, { method: 'QUERY' }),
  ];
};
