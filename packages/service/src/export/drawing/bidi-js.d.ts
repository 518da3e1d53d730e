/**
 * The package's own types describe an ES module, but Node.js loads its CommonJS build, which exports the function
 * itself.
 */
declare module 'bidi-js' {
  export interface EmbeddingLevels {
    readonly levels: Uint8Array;
  }

  export interface Bidi {
    /** Returns the embedding level of each UTF-16 unit; odd levels are right-to-left. */
    getEmbeddingLevels(text: string, base: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels;
    /** Returns the indexes of the units in visual order, from left to right. */
    getReorderedIndices(text: string, levels: EmbeddingLevels): number[];
    /** Returns the mirrored characters of right-to-left brackets and similar characters, by index. */
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>;
  }

  export default function bidiFactory(): Bidi;
}
