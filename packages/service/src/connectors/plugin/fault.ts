/** Kinds of faults of a plugin or its answer. */
export type PluginFaultKind =
  | 'credentials'
  | 'missing'
  | 'https'
  | 'redirect'
  | 'status'
  | 'shape'
  | 'limit'
  | 'timeout'
  | 'unreachable'
  | 'aborted'
  | 'busy'
  | 'resting';

/** A violation of the plugin protocol. The message follows `The plugin "x" ` and never contains a part of an answer. */
export class PluginFault extends Error {
  readonly kind: PluginFaultKind;

  constructor(kind: PluginFaultKind, message: string) {
    super(message);
    this.name = 'PluginFault';
    this.kind = kind;
  }
}

/**
 * Returns the fault for a status: one of the refusals that the protocol defines, or a general fault for any other
 * status (specification/plugin-protocol#answers).
 */
export function refusalOf(status: number): PluginFault {
  if (status === 401 || status === 403) return new PluginFault('credentials', `refuses the credentials (${status})`);
  if (status === 404) return new PluginFault('missing', 'has no such table (404)');
  if (status === 426) return new PluginFault('https', 'wants to be called by https (426)');
  if (status === 504) return new PluginFault('timeout', 'did not get its data in time (504)');
  if (status >= 300 && status < 400)
    return new PluginFault('redirect', `answers with a redirect (${status}), which is not followed`);
  return new PluginFault('status', `answers with status ${status}`);
}
