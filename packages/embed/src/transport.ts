import { createTransport, type Transport, type TransportOptions } from '@inlay/client/transport';

/**
 * Returns the transport of a page. Its failures carry advice for the developer of the page, which is loaded on demand.
 */
export const pageTransport = (options: TransportOptions): Transport =>
  createTransport({
    ...options,
    hintFor: async (code, host = '', send = fetch) => {
      const hints = await import('./board/page/failure-hints.ts').catch(() => null);
      return hints === null ? '' : code === 'unreachable' ? hints.hintFor(host, send) : (hints.hints[code] ?? '');
    },
  });
