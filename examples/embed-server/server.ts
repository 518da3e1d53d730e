/**
 * A page written by a server: it makes a token for each visitor with an api key that stays here, and puts the element
 * into the HTML. The page asks `/token` for another one when the first has ended.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… INLAY_DASHBOARD=… PORT=3000 node examples/embed-server/server.ts
 *
 * The service must allow the page's origin: INLAY_CORS_ORIGINS=http://localhost:3000
 */
import { createServer } from 'node:http';
import { addressFrom, clientFrom } from '../connect.ts';

const inlay = clientFrom(process.env);
const apiHost = addressFrom(process.env);
const { INLAY_DASHBOARD: dashboard = '', PORT: port = '3000' } = process.env;

/** A token for one visitor: it reads the one dashboard, and the datasets behind it as far as its items show them. */
async function tokenFor(username: string): Promise<{ readonly key: string; readonly token: string }> {
  const [record] = await inlay.search('dashboard', {
    where: { id: dashboard },
    include: [{ model: 'Datasets', attributes: ['id'] }],
  });
  const linked: unknown = record?.['datasets'];
  const datasets = Array.isArray(linked)
    ? linked.map(({ id }: { id: string }) => ({ id, rights: 'read' as const }))
    : [];
  const authorization = await inlay.create('authorization', {
    type: 'embed',
    username,
    name: username,
    role: 'viewer',
    expiry: new Date(Date.now() + 3_600_000).toISOString(),
    access: { dashboards: [{ id: dashboard, rights: 'read' }], datasets },
  });
  return { key: authorization.id, token: authorization.token ?? '' };
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The page; the script at its end gives the element a way to get another token. */
const page = ({ key, token }: { readonly key: string; readonly token: string }): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Sales</title>
    <link rel="icon" href="data:," />
    <script type="module" src="${attribute(apiHost)}/embed/inlay.js"></script>
  </head>
  <body>
    <main>
      <h1>Sales</h1>
      <inlay-dashboard dashboard-id="${attribute(dashboard)}" auth-key="${attribute(key)}" auth-token="${attribute(token)}" api-host="${attribute(apiHost)}"></inlay-dashboard>
    </main>
    <script type="module">
      document.querySelector('inlay-dashboard').getToken = async () => (await fetch('/token')).json();
    </script>
  </body>
</html>
`;

createServer((request, response) => {
  // The person signed in to your product; here everybody is the same visitor.
  tokenFor('visitor').then(
    (credential) => {
      const isToken = request.url === '/token';
      const type = isToken ? 'application/json' : 'text/html; charset=utf-8';
      // No cache may store a token.
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(isToken ? JSON.stringify(credential) : page(credential));
    },
    (error: unknown) => {
      console.error(error);
      response.writeHead(502).end();
    },
  );
}).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
