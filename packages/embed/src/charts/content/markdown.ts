import { isAddressTemplate } from '@inlay/contract';
import { attempt } from '../../locale/memoize.ts';
import { lexer, type Token, type Tokens } from 'marked';

export interface Span {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isCode: boolean;
  /** Address of a link; null if the text is no link. */
  readonly href: string | null;
}

/** A heading, a paragraph or a list entry. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly spans: readonly Span[] }
  | { readonly kind: 'entry'; readonly depth: number; readonly mark: string; readonly spans: readonly Span[] }
  | { readonly kind: 'rule' };

const plainStyle: Omit<Span, 'text'> = { isBold: false, isItalic: false, isCode: false, href: null };

/** Returns an address that is safe to link to; null if it is unsafe, such as `javascript:`. */
const addressOf = (href: string): string | null =>
  /^(?:https?:|mailto:|\/(?!\/)|#)/iu.test(href.trim()) && isAddressTemplate(href) ? href.trim() : null;

function spansOf(tokens: readonly Token[], style: Omit<Span, 'text'>): readonly Span[] {
  return tokens.flatMap((token): readonly Span[] => {
    const innerSpans = (addedStyle: Partial<Omit<Span, 'text'>>): readonly Span[] =>
      spansOf('tokens' in token && Array.isArray(token.tokens) ? token.tokens : [], { ...style, ...addedStyle });
    switch (token.type) {
      case 'strong':
        return innerSpans({ isBold: true });
      case 'em':
        return innerSpans({ isItalic: true });
      case 'del':
        return innerSpans({});
      case 'link':
        return innerSpans({ href: addressOf(String(token['href'])) });
      case 'codespan':
        return [{ ...style, isCode: true, text: String(token['text']) }];
      case 'br':
        return [{ ...style, text: '\n' }];
      case 'text':
      case 'escape':
      case 'html':
        if ('tokens' in token && Array.isArray(token.tokens)) return innerSpans({});
        return [{ ...style, text: unescaped(token.type === 'html' ? token.raw : String(token['text'])) }];
      default:
        return [{ ...style, text: token.raw }];
    }
  });
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => entities[entity] ?? entity);

function entriesOf(list: Tokens.List, depth: number): readonly Block[] {
  return list.items.flatMap((item, index): readonly Block[] => {
    const innerEntries = item.tokens
      .filter(({ type }) => type === 'list')
      .flatMap((token) => (isList(token) ? entriesOf(token, depth + 1) : []));
    const ownTokens = item.tokens.filter(({ type }) => type !== 'list');
    const start = typeof list.start === 'number' ? list.start : 1;
    return [
      { kind: 'entry', depth, mark: list.ordered ? `${start + index}.` : '•', spans: spansOf(ownTokens, plainStyle) },
      ...innerEntries,
    ];
  });
}
const isList = (token: Token): token is Tokens.List => token.type === 'list' && 'items' in token;

/** Maximum length of a text. Longer texts are cut off, because they are parsed in the page. */
const maxLength = 20_000;

/** Parses Markdown. HTML in it is treated as text. A source that is nested too deeply is treated as text as a whole. */
export const readMarkdown = (source: string): readonly Block[] =>
  attempt(() => blocksOf(source.slice(0, maxLength))) ?? [
    { kind: 'paragraph', spans: [{ ...plainStyle, text: source.slice(0, maxLength) }] },
  ];

function blocksOf(source: string): readonly Block[] {
  return lexer(source, { gfm: true }).flatMap((token): readonly Block[] => {
    const spans = (): readonly Span[] =>
      spansOf('tokens' in token && Array.isArray(token.tokens) ? token.tokens : [], plainStyle);
    switch (token.type) {
      case 'space':
      case 'def':
        return [];
      case 'heading':
        return [{ kind: 'heading', level: Number(token['depth']), spans: spans() }];
      case 'paragraph':
      case 'text':
        return [{ kind: 'paragraph', spans: spans() }];
      case 'blockquote':
        return [
          {
            kind: 'quote',
            spans: spansOf(
              'tokens' in token && Array.isArray(token.tokens)
                ? token.tokens.flatMap((innerToken) =>
                    'tokens' in innerToken && Array.isArray(innerToken.tokens) ? innerToken.tokens : [],
                  )
                : [],
              plainStyle,
            ),
          },
        ];
      case 'list':
        return isList(token) ? entriesOf(token, 0) : [];
      case 'hr':
        return [{ kind: 'rule' }];
      default:
        return [{ kind: 'paragraph', spans: [{ ...plainStyle, text: token.raw.trim() }] }];
    }
  });
}

/** Replaces each placeholder `{{Label}}` by the value that `valueOf` returns for the label. */
export const filledIn = (blocks: readonly Block[], valueOf: (label: string) => string | null): readonly Block[] => {
  const filledSpan = ({ text, ...style }: Span): Span => ({
    ...style,
    text: text.replaceAll(
      /\{\{([^{}]{1,100})\}\}/gu,
      (placeholder, label: string) => valueOf(label.trim()) ?? placeholder,
    ),
  });
  return blocks.map((block) => (block.kind === 'rule' ? block : { ...block, spans: block.spans.map(filledSpan) }));
};
