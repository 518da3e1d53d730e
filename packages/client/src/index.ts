export {
  createClient,
  explain,
  type Client,
  type ExplainedParty,
  type ExplainedResource,
  type Find,
  type FoundRecord,
  type LinkedRecord,
  type ResourceName,
} from './client.ts';
export type * from './records.ts';
export {
  createTransport,
  Failure,
  patiently,
  type Credential,
  type Transport,
  type TransportOptions,
} from './transport.ts';
