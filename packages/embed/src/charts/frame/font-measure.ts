export interface TextFace {
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
}

/** Measures text in the fonts that it is drawn in. */
export interface FontMeasure {
  /** CSS font family that identifies these fonts; ECharts caches widths by it. */
  readonly fonts: string;
  /** Width in px. */
  width(text: string, sizePx: number, face?: TextFace): number;
}
