/** A record as the API answers it. */
export interface Entity {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Where the service is and who asks. */
export interface Connection {
  readonly url: string;
  readonly key: string;
  readonly token: string;
}

/** Reads INLAY_URL, INLAY_KEY and INLAY_TOKEN. */
export function connectionFrom(env: Readonly<Record<string, string | undefined>>): Connection {
  const { INLAY_URL: url = 'http://127.0.0.1:8080', INLAY_KEY: key, INLAY_TOKEN: token } = env;
  if (key === undefined || token === undefined) throw new Error('Set INLAY_KEY and INLAY_TOKEN.');
  return { url, key, token };
}

const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Sends one request and gives the answer's body. Raises an Error with the service's own words on a refusal. */
export async function call({ url, key, token }: Connection, resource: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}:${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${resource} answered ${answer.status}: ${text}`);
  const value: unknown = JSON.parse(text);
  return value;
}

/** Sends a request whose answer is one record. */
export async function callForOne(connection: Connection, resource: string, body: object): Promise<Entity> {
  const answer = await call(connection, resource, body);
  if (!isEntity(answer)) throw new Error(`${resource} answered no record`);
  return answer;
}

/** Searches, and gives the rows. */
export async function search(connection: Connection, resource: string, find: object): Promise<readonly Entity[]> {
  const answer = await call(connection, resource, { action: 'search', find: { count: false, ...find } });
  const rows = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : undefined;
  if (!isList(rows)) throw new Error(`${resource} answered no rows`);
  return rows.filter(isEntity);
}
