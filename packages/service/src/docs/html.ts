/** Markup that is safe to insert into a page, because all text in it is escaped. */
export interface Html {
  readonly markup: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for use in HTML, also inside attributes. */
export const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign);

type Part = string | number | Html | readonly Html[];

const markupOf = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
};

/** Template tag that escapes texts and inserts Html unchanged. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.map((text, index) => (index === 0 ? '' : markupOf(parts[index - 1] ?? '')) + text).join(''),
});

/** Converts a sentence of a declaration: `code` and *emphasis* become elements, everything else is escaped. */
export const prose = (text: string): Html => ({
  markup: escape(text)
    .replaceAll(/`([^`]+)`/gu, '<code>$1</code>')
    .replaceAll(/(?<![\w*])\*(\w[^*]*)\*(?![\w*])/gu, '<em>$1</em>'),
});

/**
 * Returns a table with row headers in the first column. On a narrow screen, the style stacks the cells, each under its
 * header. The ARIA roles then preserve the table for assistive technology.
 */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = heads.map((label) => html`<th scope="col" role="columnheader">${label}</th>`);
  const body = rows.map(([firstCell, ...otherCells]) => {
    const cells = otherCells.map(
      (cell, index) => html`<td role="cell" data-head="${heads[index + 1] ?? ''}">${cell}</td>`,
    );
    return html`<tr role="row">
      <th scope="row" role="rowheader">${firstCell ?? ''}</th>
      ${cells}
    </tr>`;
  });
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${head}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${body}
    </tbody>
  </table> `;
}
