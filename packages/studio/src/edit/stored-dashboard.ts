import { objectOr, textOr, type Json } from '@inlay/contract';
import { DashboardModel, JsonText } from '@inlay/contract/change';
import type { Transport } from '@inlay/client/transport';

/** A dashboard as it is stored. */
export interface StoredDashboard {
  readonly id: string;
  /** Its name by language. */
  readonly name: Json;
  /** Its contents, with the digits of numbers and the order of members as they are stored. */
  readonly model: DashboardModel;
  /** State of the record, for `If-Match`. */
  readonly etag: string;
}

async function readStored(response: Response): Promise<StoredDashboard> {
  const text = await response.text();
  const record: Json = JSON.parse(text);
  const { id, name = null } = objectOr(record);
  return {
    id: textOr(id, ''),
    name,
    model: DashboardModel.read(JsonText.read(text).at(['contents']) ?? '{}'),
    etag: response.headers.get('etag') ?? '',
  };
}

/** Loads a dashboard. Raises Failure. */
export async function loadStored(transport: Transport, id: string): Promise<StoredDashboard> {
  return readStored(await transport.file('securable', { action: 'get', id }));
}

/**
 * Stores the contents of a dashboard. Raises Failure: 409 `precondition_failed` if the dashboard has changed since
 * `etag`.
 */
export async function storeContents(
  transport: Transport,
  { id, etag }: Pick<StoredDashboard, 'id' | 'etag'>,
  model: DashboardModel,
): Promise<StoredDashboard> {
  // The text goes as it is: a parsed one would lose digits.
  const body = `{"action":"update","id":${JSON.stringify(id)},"properties":{"contents":${model.text}}}`;
  return readStored(await transport.file('securable', body, undefined, { 'if-match': etag }));
}
