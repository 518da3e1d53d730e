import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWK } from 'jose';
import { inWords, isObject, type Json, type JsonObject } from '@inlay/contract';

/** What an endpoint answers instead of what it should. */
export interface Raw {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
  readonly headers?: Record<string, string>;
  readonly afterMs?: number;
}

export type Signing = 'good' | 'none' | 'secret' | 'public-key' | 'other-key' | 'own-jwk' | 'stripped' | 'changed';
export type Algorithm = 'RS256' | 'PS256' | 'RS512' | 'ES256' | 'ES384' | 'EdDSA';

/** How one issuer behaves; what is not said is as it should be. */
export interface Behaviour {
  readonly algorithm?: Algorithm;
  readonly signing?: Signing;
  readonly header?: (header: JsonObject) => JsonObject;
  readonly claims?: (claims: JsonObject, asked: URLSearchParams) => JsonObject;
  readonly discovery?: (document: JsonObject) => JsonObject | Raw;
  readonly keys?: (keys: readonly JWK[]) => readonly (JWK | JsonObject)[] | Raw;
  readonly token?: (answer: JsonObject) => JsonObject | Raw;
  readonly userInfo?: ((claims: JsonObject) => JsonObject | Raw) | null;
  /** What the page of the provider answers. */
  readonly authorize?: Raw;
  /** What the browser brings back. */
  readonly answer?: (parameters: URLSearchParams) => URLSearchParams;
  readonly secret?: string | null;
  readonly person?: JsonObject;
}

interface Grant {
  readonly asked: URLSearchParams;
  readonly subject: JsonObject;
}

/** One issuer of the provider and what was asked of it. */
export interface Issuer {
  readonly issuer: string;
  behaviour: Behaviour;
  readonly requests: { readonly path: string; readonly body: URLSearchParams; readonly authorization: string }[];
  /** What the authorization endpoint sends the browser back with; none where it is down. */
  authorize(location: string): string;
  /** Returns a logout token signed by this issuer. */
  logoutToken(claims: JsonObject, signing?: Signing): Promise<string>;
}

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && 'body' in value;
const halfHash = (value: string): string =>
  createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jsonOf = (value: object): JsonObject => {
  const read: Json = JSON.parse(JSON.stringify(value));
  return isObject(read) ? read : {};
};

async function keysOf(algorithm: Algorithm) {
  const options = algorithm === 'EdDSA' ? { crv: 'Ed25519', extractable: true } : { extractable: true };
  const [good, other] = [await generateKeyPair(algorithm, options), await generateKeyPair(algorithm, options)];
  const jwk: JWK = { ...(await exportJWK(good.publicKey)), kid: randomUUID(), alg: algorithm, use: 'sig' };
  return { good, other, jwk, otherJwk: await exportJWK(other.publicKey), pem: await exportSPKI(good.publicKey) };
}

/** Returns a provider with as many issuers as are asked for, each of which behaves as it is told. */
export async function startProvider(host = '127.0.0.2') {
  const issuers = new Map<
    string,
    { readonly issuer: Issuer; readonly handle: (path: string, request: IncomingMessage) => Promise<Raw> }
  >();
  const made = new Map<Algorithm, ReturnType<typeof keysOf>>();
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const found = issuers.get(name);
    const work =
      found === undefined ? Promise.resolve({ status: 404, body: '{}' }) : found.handle(`/${rest.join('/')}`, request);
    work
      .then((raw) => reply(response, raw))
      .catch((error: unknown) => reply(response, { status: 500, body: String(error) }));
  });
  async function reply(
    response: ServerResponse,
    { status = 200, type = 'application/json', body, headers = {}, afterMs = 0 }: Raw,
  ) {
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  }
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const add = (first: Behaviour): Issuer => {
    const name = randomUUID().slice(0, 8);
    const base = `http://${host}:${port}/${name}`;
    const grants = new Map<string, Grant>();
    const tokens = new Map<string, JsonObject>();
    const keys = () => {
      const { algorithm = 'RS256' } = issuer.behaviour;
      const known = made.get(algorithm) ?? keysOf(algorithm);
      made.set(algorithm, known);
      return known;
    };
    const signed = async (claims: JsonObject, signing: Signing): Promise<string> => {
      const { algorithm = 'RS256', header = (one) => one, secret = 'the secret' } = issuer.behaviour;
      const { good, other, jwk, otherJwk, pem } = await keys();
      const head = header({ alg: algorithm, kid: jwk.kid ?? '', typ: 'JWT' });
      const unsigned = (alg: string) => `${part({ ...head, alg })}.${part(claims)}`;
      const mac = (key: string) => createHmac('sha256', key).update(unsigned('HS256')).digest('base64url');
      if (signing === 'none') return `${unsigned('none')}.`;
      if (signing === 'secret') return `${unsigned('HS256')}.${mac(secret ?? '')}`;
      if (signing === 'public-key') return `${unsigned('HS256')}.${mac(pem)}`;
      const own = signing === 'own-jwk' ? { jwk: jsonOf(otherJwk) } : {};
      const token = await new SignJWT(claims)
        .setProtectedHeader({ ...head, ...own, alg: inWords(head['alg']) })
        .sign(signing === 'other-key' || signing === 'own-jwk' ? other.privateKey : good.privateKey);
      const [one = '', two = '', three = ''] = token.split('.');
      if (signing === 'stripped') return `${one}.${two}.`;
      return signing === 'changed' ? `${one}.${part({ ...claims, sub: 'somebody-else' })}.${three}` : token;
    };
    const answered = (value: JsonObject | Raw): Raw => (isRaw(value) ? value : { body: JSON.stringify(value) });
    const redeem = async (form: URLSearchParams, authorization: string): Promise<Raw> => {
      const { secret = 'the secret', claims = (one) => one, token = (one) => one, signing = 'good' } = issuer.behaviour;
      const refuse = (error: string, status = 400): Raw => ({ status, body: JSON.stringify({ error }) });
      const basic = Buffer.from(authorization.replace(/^Basic /u, ''), 'base64')
        .toString()
        .split(':')
        .map((one) => decodeURIComponent(one.replaceAll('+', ' ')));
      const given = authorization === '' ? (form.get('client_secret') ?? null) : (basic[1] ?? null);
      if (given !== secret) return refuse('invalid_client', 401);
      const grant = grants.get(form.get('code') ?? '');
      grants.delete(form.get('code') ?? '');
      if (grant === undefined) return refuse('invalid_grant');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (grant.asked.get('code_challenge_method') !== 'S256' || challenge !== grant.asked.get('code_challenge'))
        return refuse('invalid_grant');
      if (form.get('redirect_uri') !== grant.asked.get('redirect_uri')) return refuse('invalid_grant');
      const accessToken = randomUUID();
      tokens.set(accessToken, grant.subject);
      const nowS = Math.floor(Date.now() / 1000);
      const standard: JsonObject = {
        iss: issuer.issuer,
        aud: grant.asked.get('client_id'),
        iat: nowS,
        exp: nowS + 300,
        nonce: grant.asked.get('nonce'),
        ...((issuer.behaviour.algorithm ?? 'RS256').endsWith('256') ? { at_hash: halfHash(accessToken) } : {}),
        ...grant.subject,
      };
      const idToken = await signed(
        claims(
          standard,
          new URLSearchParams([...grant.asked, ['access_token', accessToken], ['code', form.get('code') ?? '']]),
        ),
        signing,
      );
      return answered(token({ access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken }));
    };
    const handle = async (path: string, request: IncomingMessage): Promise<Raw> => {
      const { behaviour } = issuer;
      const authorization = request.headers.authorization ?? '';
      const body = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
      issuer.requests.push({ path, body, authorization });
      switch (path) {
        case '/.well-known/openid-configuration':
          return answered(
            (behaviour.discovery ?? ((one) => one))({
              issuer: issuer.issuer,
              authorization_endpoint: `${base}/authorize`,
              token_endpoint: `${base}/token`,
              ...(behaviour.userInfo === null ? {} : { userinfo_endpoint: `${base}/userinfo` }),
              jwks_uri: `${base}/keys`,
              end_session_endpoint: `${base}/end`,
              id_token_signing_alg_values_supported: [behaviour.algorithm ?? 'RS256'],
              code_challenge_methods_supported: ['S256'],
            }),
          );
        case '/keys': {
          const found = (behaviour.keys ?? ((one) => one))([(await keys()).jwk]);
          return isRaw(found) ? found : { body: JSON.stringify({ keys: found }) };
        }
        case '/token':
          return redeem(body, authorization);
        case '/userinfo': {
          const subject = tokens.get(authorization.replace(/^Bearer /u, ''));
          if (subject === undefined) return { status: 401, body: '{}' };
          return answered((behaviour.userInfo ?? ((one) => one))(subject));
        }
        case '/authorize':
          return behaviour.authorize ?? { type: 'text/html', body: 'Sign in' };
        default:
          return { status: 404, body: '{}' };
      }
    };
    const issuer: Issuer = {
      issuer: base,
      behaviour: first,
      requests: [],
      authorize: (location) => {
        const { person = {}, answer = (one) => one } = issuer.behaviour;
        const asked = new URL(location).searchParams;
        const code = randomUUID();
        const subject = {
          sub: `sub-${name}`,
          email: `person-${name}@example.com`,
          email_verified: true,
          name: 'Ada',
          sid: `sid-${name}`,
          ...person,
        };
        grants.set(code, { asked, subject });
        const back = answer(new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer.issuer }));
        return `${asked.get('redirect_uri') ?? ''}?${back.toString()}`;
      },
      logoutToken: (claims, signing = 'good') => {
        const nowS = Math.floor(Date.now() / 1000);
        const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
        return signed(
          {
            iss: issuer.issuer,
            aud: 'inlay',
            iat: nowS,
            exp: nowS + 100,
            jti: randomUUID(),
            sub: `sub-${name}`,
            events: event,
            ...claims,
          },
          signing,
        );
      },
    };
    issuers.set(name, { issuer, handle });
    return issuer;
  };
  return {
    add,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;
