/** A rendered export. */
export interface ExportedFile {
  readonly mediaType: string;
  readonly name: string;
  /** Whole, or streamed as fast as its rows are read. A stream that fails raises Problem. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}
