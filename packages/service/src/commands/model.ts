import type { JsonObject } from '@inlay/contract';

/**
 * Records a request to an AI provider before it is sent. Refused if the organization has sent `budget` requests within
 * a day.
 */
export interface AirequestCommand {
  readonly kind: 'airequest';
  readonly organizationId: string;
  readonly fields: JsonObject;
  readonly budget: number;
}

export interface ModelCommands {
  readonly airequest: AirequestCommand;
}
