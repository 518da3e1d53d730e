/** Types of the elements for React 19 and TypeScript: `import '@inlay/embed/react'`. This file has no code. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { InlayDashboard, InlayEvents, InlayItem } from './index.ts';

type BothProperties =
  | ('apiHost' | 'authKey' | 'authToken' | 'getToken' | 'dashboardId' | 'dashboardSlug' | 'contextId')
  | ('locale' | 'language' | 'timezone' | 'timezoneId' | 'theme' | 'patterns');
type BothAttributes =
  | 'api-host'
  | 'auth-key'
  | 'auth-token'
  | 'dashboard-id'
  | 'dashboard-slug'
  | 'context-id'
  | 'timezone-id';

type Properties<Element, Names extends keyof Element> = { readonly [Name in Names]?: Element[Name] | undefined };
type Attributes<Names extends string> = { readonly [Name in Names]?: string | undefined };

/** A listener for each event. The names are those that React uses. */
type Listeners = {
  readonly [Name in keyof InlayEvents as `on${Name}`]?: ((event: CustomEvent<InlayEvents[Name]>) => void) | undefined;
};

type Basics<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & Listeners;

export type InlayDashboardProps = Basics<InlayDashboard> &
  Properties<InlayDashboard, BothProperties | 'contents' | 'screenMode'> &
  Attributes<BothAttributes | 'screen-mode'>;

export type InlayItemProps = Basics<InlayItem> &
  Properties<InlayItem, BothProperties | 'itemId' | 'type' | 'slots' | 'options' | 'itemTitle' | 'filters'> &
  Attributes<BothAttributes | 'item-id' | 'item-title'>;

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React looks up custom elements in this namespace
  namespace JSX {
    interface IntrinsicElements {
      'inlay-dashboard': InlayDashboardProps;
      'inlay-item': InlayItemProps;
    }
  }
}
