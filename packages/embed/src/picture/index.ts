export { createFrame, loadChart, type Frame, type Look, type Row } from '../charts/index.ts';
export { createFormats, createPartFormat, isNamed } from '../locale/format.ts';
export { rowsOf, type View } from '../grid.ts';
export { inLanguage } from '../locale/language.ts';
export { resolveTheme } from '../theme/theme.ts';
export { isRightToLeft, wordsFor } from '../locale/words.ts';
export { headingSvg, itemSvg, svgDocument, type ItemPicture } from './item.ts';
