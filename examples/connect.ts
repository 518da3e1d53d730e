import { createClient, createTransport, type Client, type Credential } from '@inlay/client';

type Environment = Readonly<Record<string, string | undefined>>;

/** The address of the service: INLAY_URL. */
export const addressFrom = ({ INLAY_URL: url = 'http://127.0.0.1:8080' }: Environment): string => url;

/** A client of a service with a credential. */
export const clientWith = (apiHost: string, credential: Credential): Client =>
  createClient(createTransport({ apiHost, credential }));

/** A client with the credential of INLAY_KEY and INLAY_TOKEN. */
export function clientFrom(env: Environment): Client {
  const { INLAY_KEY: key, INLAY_TOKEN: token } = env;
  if (key === undefined || token === undefined) throw new Error('Set INLAY_KEY and INLAY_TOKEN.');
  return clientWith(addressFrom(env), { key, token });
}
