import type { Credential, InlayDashboard, InlayEvents } from '@inlay/embed';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';

type Told<Name extends keyof InlayEvents> = (event: CustomEvent<InlayEvents[Name]>) => void;

interface DashboardProps extends DetailedHTMLProps<HTMLAttributes<InlayDashboard>, InlayDashboard> {
  readonly 'dashboard-id': string;
  readonly 'api-host': string;
  readonly theme?: string;
  readonly locale?: string;
  /** React hands functions to custom elements as properties. */
  readonly getToken: () => Promise<Credential>;
  readonly onrendered?: Told<'rendered'>;
  readonly onfilterschanged?: Told<'filterschanged'>;
}

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- how React learns of elements
  namespace JSX {
    interface IntrinsicElements {
      'inlay-dashboard': DashboardProps;
    }
  }
}
