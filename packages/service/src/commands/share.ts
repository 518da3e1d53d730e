import type { JsonObject } from '@inlay/contract';

/** Opens the page of a share: creates a token for what it shows, for a few minutes. */
export interface ShareCommand {
  readonly kind: 'share';
  readonly slug: string;
  readonly atMs: number;
}

/** A dashboard as the page of a share shows it. */
export interface SharedDashboard {
  readonly dashboardId: string;
  /** In every language it has. */
  readonly name: JsonObject;
  readonly key: string;
  readonly token: string;
}

/** What a share opens. */
export interface ShareResult {
  readonly kind: 'shared';
  readonly shared: SharedDashboard;
}

export interface ShareCommands {
  readonly share: ShareCommand;
}
