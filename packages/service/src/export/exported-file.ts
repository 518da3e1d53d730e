/** A rendered export. */
export interface ExportedFile {
  readonly mediaType: string;
  readonly name: string;
  /** The complete file, or a stream that reads rows as it is consumed. A failed stream raises Problem. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}
