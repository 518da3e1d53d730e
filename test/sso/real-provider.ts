import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';

/** A certified OpenID provider with its own sign-in page. It accepts any login name. */
export interface RealProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

const configurationOf = (base: string, organization: () => string): Configuration => ({
  clients: [
    {
      client_id: 'inlay',
      client_secret: 'the secret of a test client',
      redirect_uris: [`${base}/sso/callback`],
      post_logout_redirect_uris: [`${base}/sso/signed-out`],
      backchannel_logout_uri: `${base}/sso/${organization()}/backchannel`,
      backchannel_logout_session_required: true,
    },
  ],
  cookies: { keys: ['only a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  // Its own way out refuses loopback addresses.
  fetch: (url, { method = 'POST', headers = {}, body = null, signal = null } = {}) => {
    const call: RequestInit = { method, headers, body, signal };
    return fetch(url, call);
  },
  features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@people.example`, email_verified: true, name: `The ${id}` }),
  }),
});

/** Starts `oidc-provider` at a loopback address of its own, since cookies ignore ports. */
export async function startRealProvider(host: string, base: string, organization: string): Promise<RealProvider> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://${host}:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const provider = new Provider(
    issuer,
    configurationOf(base, () => organization),
  );
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
