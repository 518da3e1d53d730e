import type { Json } from '@inlay/contract';

/** Events of `<inlay-editor>`; all of them bubble and cross shadow roots. */
export interface InlayEditorEvents {
  /** The dashboard was loaded and can be edited. */
  readonly opened: { readonly id: string };
  /** The contents, or what can be undone, have changed. */
  readonly changed: { readonly isChanged: boolean };
  /** Other items were selected. */
  readonly selectionchanged: { readonly ids: readonly string[] };
  /** The contents are about to be saved; prevent the event to stop that. */
  readonly beforesave: { readonly contents: Json };
  /** The contents were saved. */
  readonly saved: { readonly contents: Json };
  /** Loading or saving failed. */
  readonly failed: {
    readonly id: string | null;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  };
}
