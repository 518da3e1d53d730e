export interface TextFace {
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
}

/** Measures text in the fonts in which it is drawn. */
export interface FontMeasure {
  /** CSS font family that identifies these fonts, because ECharts caches widths by font family. */
  readonly fonts: string;
  /** Returns the width of a text in px. */
  width(text: string, sizePx: number, face?: TextFace): number;
}
