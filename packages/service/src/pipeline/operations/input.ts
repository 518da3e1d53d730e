import type { JsonObject } from '@inlay/contract';
import type { Association } from '../../resource/define.ts';
import type { Properties } from '../../declare/properties.ts';
import type { Find } from '../../search/find.ts';
import type { LinkProperties } from './link-properties.ts';

/** One association of a request, checked as far as it can be without its records. */
export interface LinkRequest {
  readonly at: string;
  readonly role: string;
  readonly association: Association;
  readonly targetId: string;
  readonly properties: LinkProperties;
}

/** The input of each operation. */
export type Input =
  | { readonly kind: 'create'; readonly properties: Properties; readonly links: readonly LinkRequest[] }
  | { readonly kind: 'get'; readonly id: string; readonly find: Find }
  | { readonly kind: 'search'; readonly find: Find }
  /** A get of a served resource: its part reads `find`. */
  | { readonly kind: 'ask'; readonly find: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly properties: Properties }
  | { readonly kind: 'delete'; readonly id: string; readonly set: JsonObject }
  | { readonly kind: 'associate'; readonly id: string; readonly link: LinkRequest }
  | { readonly kind: 'dissociate'; readonly id: string; readonly link: LinkRequest };
