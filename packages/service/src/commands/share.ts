import type { JsonObject } from '@inlay/contract';

/** Opens a share: creates a token for its dashboard, valid for a few minutes. */
export interface ShareCommand {
  readonly kind: 'share';
  readonly slug: string;
  readonly atMs: number;
}

/** A dashboard on the page of a share. */
export interface SharedDashboard {
  readonly dashboardId: string;
  /** The name in all available languages. */
  readonly name: JsonObject;
  readonly key: string;
  readonly token: string;
}

/** Result of opening a share. */
export interface ShareResult {
  readonly kind: 'shared';
  readonly shared: SharedDashboard;
}

export interface ShareCommands {
  readonly share: ShareCommand;
}
