/** Whether letters are bold or slanted. */
export interface TextFace {
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
}

/** Measures texts in the fonts that they are drawn in. */
export interface FontMeasure {
  /** Stands for these fonts in a CSS font: ECharts keeps widths by it. */
  readonly fonts: string;
  /** In px. */
  width(text: string, sizePx: number, face?: TextFace): number;
}
