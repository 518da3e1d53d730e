/** The package describes an ES module, and Node.js loads its CommonJS one, whose export is the function itself. */
declare module 'bidi-js' {
  export interface EmbeddingLevels {
    readonly levels: Uint8Array;
  }

  export interface Bidi {
    /** The level of each UTF-16 unit: odd ones run from right to left. */
    getEmbeddingLevels(text: string, base: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels;
    /** The places of the units in the order in which they are seen, from left to right. */
    getReorderedIndices(text: string, levels: EmbeddingLevels): number[];
    /** What is drawn in place of brackets and the like that run from right to left, by place. */
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>;
  }

  export default function bidiFactory(): Bidi;
}
