import { describe, expect, it } from 'vitest';
import { filledIn, readMarkdown, type Block } from './markdown.ts';

const written = (blocks: readonly Block[]): readonly string[] =>
  blocks.map((block) =>
    block.kind === 'rule'
      ? '---'
      : `${block.kind}: ${block.spans
          .map(
            ({ text, isBold, isItalic, href }) =>
              `${isBold ? 'b' : ''}${isItalic ? 'i' : ''}${href === null ? '' : `(${href})`}[${text}]`,
          )
          .join('')}`,
  );

describe('words between charts', () => {
  it('have headings, lists in lists, emphasis, links and rules', () => {
    const source =
      '# One\n\nA **bold *both*** `code`\n\n- first\n  1. inner\n- [link](https://example.com)\n\n> said\n\n---\n';
    expect(written(readMarkdown(source))).toEqual([
      'heading: [One]',
      'paragraph: [A ]b[bold ]bi[both][ ][code]',
      'entry: [first]',
      'entry: [inner]',
      'entry: (https://example.com)[link]',
      'quote: [said]',
      '---',
    ]);
  });

  it('are never markup of the page, and lead to no script', () => {
    const source =
      '<img src=x onerror=alert(1)> & [a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](/\\\\evil.example/x) [e](</\t/evil.example/x>) [f](</\\evil.example>) <script>x</script>';
    const blocks = readMarkdown(source);
    const spans = blocks.flatMap((block) => (block.kind === 'rule' ? [] : block.spans));
    expect(spans.map(({ href }) => href).filter((href) => href !== null)).toEqual([]);
    expect(spans.map(({ text }) => text).join('')).toContain('<img src=x onerror=alert(1)>');
  });

  it('have the values of measures, which are no markup either', () => {
    const values = new Map([['Revenue', '**€5** [x](https://evil.example)']]);
    const blocks = filledIn(
      readMarkdown('It was {{Revenue}}, and {{ Margin }}.'),
      (label) => values.get(label) ?? null,
    );
    expect(written(blocks)).toEqual(['paragraph: [It was **€5** [x](https://evil.example), and {{ Margin }}.]']);
  });

  it.each(['', '\u0000', '['.repeat(5000), '> '.repeat(2000), '* '.repeat(3000), '|a|\n|-|\n|b|', '```\ncode\n```'])(
    'can be read whatever they are: %#',
    (source) => {
      expect(Array.isArray(readMarkdown(source))).toBe(true);
    },
  );
});
