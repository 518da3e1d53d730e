export {
  createFrame,
  loadChart,
  withComparison,
  type Chart,
  type Frame,
  type SizedContext,
  type Row,
} from '../charts/index.ts';
export { createFormats, createPartFormat, isNamed } from '../locale/format.ts';
export { isRightToLeft, wordsFor } from '../locale/words.ts';
export { cutTable, headingSvg, itemSvg, svgDocument, type ItemPicture } from './item.ts';
export { tablePages } from './table.ts';
export { escaped, textAt } from './write.ts';
export { chosenText } from '../chosen-text.ts';
export { wrapped } from '../charts/drawing/text-width.ts';
export type { TooltipText } from '../charts/frame/chart.ts';
export type { FontMeasure, TextFace } from '../charts/frame/font-measure.ts';
export { pageWordsFor } from '../locale/page-words.ts';
export { conditionTexts } from '../locale/condition-words.ts';
export { chartWordsFor } from '../locale/chart-words.ts';
export { filledIn } from '../locale/control-words.ts';
export { prepare } from './drawn.ts';
export { createMemberColors } from '../charts/frame/member-colors.ts';
export { addMembers } from '../charts/colors/add-members.ts';
