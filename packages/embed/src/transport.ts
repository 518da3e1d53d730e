import { createTransport, type Transport, type TransportOptions } from '@inlay/client/transport';

/** A transport of a page. Its failures advise the developer of the page; that text is loaded with the first failure. */
export const pageTransport = (options: TransportOptions): Transport =>
  createTransport({
    ...options,
    hintFor: async (code, host = '', send = fetch) => {
      const hints = await import('./board/page/failure-hints.ts').catch(() => null);
      return hints === null ? '' : code === 'unreachable' ? hints.hintFor(host, send) : (hints.hints[code] ?? '');
    },
  });
