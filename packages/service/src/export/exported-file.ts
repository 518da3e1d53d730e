/** A rendered export. */
export interface ExportedFile {
  readonly mediaType: string;
  readonly name: string;
  /** Complete, or streamed while rows are read. A failed stream raises Problem. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}
