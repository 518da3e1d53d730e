import { once } from 'node:events';
import { createServer } from 'node:http';

/** What the page of somebody's product does: it asks for a sign-in, and gets its login. */
const script = (base: string): string => `
const base = ${JSON.stringify(base)};
const show = (text) => { document.getElementById('shown').textContent = text; };
const code64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
async function whoAmI(login) {
  globalThis.login = login;
  const answer = await fetch(base + '/0.1.0/user', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...login, expiry: undefined, find: {} }) });
  const { rows } = await answer.json();
  show('signed in: ' + rows.map((row) => row.name).join(', '));
}
globalThis.begin = async (organization) => {
  const verifier = code64(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.verifier = verifier;
  const challenge = code64(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
  location.href = base + '/sso/' + organization + '/login?' + new URLSearchParams({ return_to: location.origin + '/', challenge });
};
globalThis.popup = (organization) => {
  addEventListener('message', (event) => {
    if (event.origin !== base || event.data.type !== 'inlay:sign-in') return;
    const { key, token, error } = event.data;
    if (error) show('failed: ' + error); else whoAmI({ key, token });
  });
  open(base + '/sso/' + organization + '/login?' + new URLSearchParams({ return_to: location.href }), 'sso', 'popup,width=500,height=600');
};
globalThis.signOut = async () => {
  const answer = await fetch(base + '/sso/logout', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ key: login.key, token: login.token }) });
  location.href = (await answer.json()).url;
};
const back = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', location.pathname);
if (back.has('inlay_error')) show('failed: ' + back.get('inlay_error'));
if (back.has('inlay_code')) {
  const body = JSON.stringify({ code: back.get('inlay_code'), verifier: sessionStorage.verifier });
  fetch(base + '/sso/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    .then((answer) => answer.json())
    .then(({ key, token }) => whoAmI({ key, token }));
}`;

/** Returns a site of its own origin whose one page signs people in. */
export async function startSite(base: string) {
  const server = createServer((_request, response) => {
    const html = `<!doctype html><html lang="en"><title>A product</title><link rel="icon" href="data:,"><p id="shown">nobody</p><script>${script(base)}</script>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  server.listen(0, '127.0.0.4');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.4:${typeof address === 'object' && address !== null ? address.port : 0}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
