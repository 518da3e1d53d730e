import type { JsonObject } from '@inlay/contract';

/** Records a request to an AI provider before it is sent; refused beyond `budget` requests per day and organization. */
export interface AirequestCommand {
  readonly kind: 'airequest';
  readonly organizationId: string;
  readonly fields: JsonObject;
  readonly budget: number;
}

export interface ModelCommands {
  readonly airequest: AirequestCommand;
}
