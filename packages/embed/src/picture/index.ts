export { createFrame, loadChart, plainTable, type Frame, type Look, type Row, type Table } from '../charts/index.ts';
export { readFilter, readFilterGroups, type FilterSet } from '../filters.ts';
export { createFormats } from '../format.ts';
export { rowsOf, viewFor, type ScreenMode, type View } from '../grid.ts';
export { inLanguage } from '../language.ts';
export { queryFor } from '../queries.ts';
export { resolveTheme } from '../theme/theme.ts';
export { isRightToLeft, wordsFor } from '../words.ts';
export { itemSvg, svgDocument, type Shown } from './item.ts';
