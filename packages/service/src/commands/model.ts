import type { JsonObject } from '@inlay/contract';

/** Notes a request that is about to be sent to an AI provider, at most `budget` a day for an organization. */
export interface AirequestCommand {
  readonly kind: 'airequest';
  readonly organizationId: string;
  readonly fields: JsonObject;
  readonly budget: number;
}

export interface ModelCommands {
  readonly airequest: AirequestCommand;
}
