import type { Block, Span } from '../charts/content/markdown.ts';
import type { Content, SizedContext } from '../charts/frame/chart.ts';
import { widthOf } from '../charts/drawing/text-width.ts';
import { escaped, rectangle, round } from './write.ts';

interface Word {
  readonly span: Span;
  readonly text: string;
  readonly px: number;
}
interface Line {
  readonly words: readonly Word[];
  readonly sizePx: number;
  readonly startPx: number;
  readonly isHeading: boolean;
  readonly gapPx: number;
}

/** Wraps the words of a block to lines that are at most `maxPx` wide. */
function linesOf(
  spans: readonly Span[],
  sizePx: number,
  maxPx: number,
  isHeading: boolean,
  context: SizedContext,
): readonly (readonly Word[])[] {
  const lines: Word[][] = [[]];
  let px = 0;
  for (const span of spans)
    for (const [index, text] of span.text.split('\n').entries()) {
      if (index > 0) {
        lines.push([]);
        px = 0;
      }
      for (const word of text.split(/(?<=\s)/u).filter((part) => part !== '')) {
        const wordPx = widthOf(word, sizePx, context, { isBold: span.isBold || isHeading, isItalic: span.isItalic });
        if (px > 0 && px + wordPx > maxPx) {
          lines.push([]);
          px = 0;
        }
        lines.at(-1)?.push({ span, text: word, px: wordPx });
        px += wordPx;
      }
    }
  return lines;
}

function layOut(blocks: readonly Block[], context: SizedContext): readonly Line[] {
  const { theme, widthPx } = context;
  const base = theme.font.sizePx;
  return blocks.flatMap((block): readonly Line[] => {
    if (block.kind === 'rule') return [];
    const isHeading = block.kind === 'heading';
    const sizePx = base * (isHeading ? (theme.sizes.headings[Math.min(3, block.level) - 1] ?? 1) : 1);
    const startPx = block.kind === 'entry' ? (block.depth + 1) * base * 1.4 : block.kind === 'quote' ? base : 0;
    const mark = block.kind === 'entry' ? `${block.mark} ` : '';
    const plainStyle = { isBold: false, isItalic: false, isCode: false, href: null };
    const spans = mark === '' ? block.spans : [{ ...plainStyle, text: mark }, ...block.spans];
    return linesOf(spans, sizePx, widthPx - startPx, isHeading, context).map((words, index) => ({
      words,
      sizePx,
      startPx,
      isHeading,
      gapPx: index === 0 ? base * 0.5 : 0,
    }));
  });
}

function wordsSvg({ blocks, align }: Extract<Content, { kind: 'text' }>, context: SizedContext): string {
  const { theme, widthPx, heightPx, rightToLeft } = context;
  const lines = layOut(blocks, context);
  const allPx = lines.reduce((sum, { sizePx, gapPx }, index) => sum + sizePx * 1.4 + (index === 0 ? 0 : gapPx), 0);
  let y = Math.max(0, (heightPx - allPx) / 2);
  const isEnd = (align === 'end') !== rightToLeft;
  const anchor = align === 'center' ? 'middle' : isEnd ? 'end' : 'start';
  return lines
    .map(({ words, sizePx, startPx, isHeading, gapPx }, index) => {
      y += sizePx * 1.4 + (index === 0 ? 0 : gapPx);
      const x = align === 'center' ? widthPx / 2 : isEnd ? widthPx - startPx : startPx;
      const spans = words.map(({ span, text }) => {
        const weight = span.isBold || isHeading ? ' font-weight="bold"' : '';
        const style = span.isItalic ? ' font-style="italic"' : '';
        return `<tspan fill="${span.href === null ? theme.page.text : theme.page.link}"${weight}${style}>${escaped(text)}</tspan>`;
      });
      return `<text xml:space="preserve" x="${round(x)}" y="${round(y - sizePx * 0.35)}" font-family="${escaped(theme.font.family)}" font-size="${round(sizePx)}" text-anchor="${anchor}">${spans.join('')}</text>`;
    })
    .join('');
}

/**
 * Renders content that is not a chart as SVG. Images from other sites are not fetched; their alternative text is drawn
 * instead.
 */
export function contentSvg(content: Content, context: SizedContext): string {
  const { theme, widthPx, heightPx } = context;
  switch (content.kind) {
    case 'text':
      return wordsSvg(content, context);
    case 'image':
      if (!content.src.startsWith('data:')) {
        const italicStyle = { isBold: false, isItalic: true, isCode: false, href: null };
        return wordsSvg(
          {
            kind: 'text',
            blocks: [{ kind: 'paragraph', spans: [{ ...italicStyle, text: content.alt }] }],
            align: content.align,
          },
          context,
        );
      }
      return `<image x="0" y="0" width="${widthPx}" height="${heightPx}" preserveAspectRatio="${content.isCover ? 'xMidYMid slice' : 'xMidYMid meet'}" xlink:href="${escaped(content.src)}"/>`;
    case 'tabs': {
      const boldStyle = { isBold: true, isItalic: false, isCode: false, href: null };
      const text = content.tabs[0]?.title ?? '';
      const block = { kind: 'heading', level: 2, spans: [{ ...boldStyle, text }] } as const;
      return wordsSvg({ kind: 'text', blocks: [block], align: 'start' }, context);
    }
    case 'line':
      return rectangle(0, heightPx / 2, widthPx, 1, `fill="${theme.line}"`);
    case 'none':
      return '';
  }
}
