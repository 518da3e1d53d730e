import { textOr, type Json } from '@inlay/contract';
import { sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';
import type { OwnFont } from './drawing/fonts.ts';

/** Limit of fonts per export: four styles of four families. */
const maxFonts = 16;

/** Loads the fonts of an organization that themes use. */
export async function ownFontsOf(
  reader: Reader,
  organizationId: string,
  themes: readonly Json[],
): Promise<readonly OwnFont[]> {
  const field = (name: string) => reader.dialect.member(sql`record`, [name], 'text');
  const themeText = JSON.stringify(themes).toLowerCase();
  const rows =
    await reader.rows(sql`select id, ${field('name')} as family, ${field('weight')} as weight, ${field('style')} as style
    from font where organization_id = ${organizationId} order by id limit ${maxFonts}`);
  const usedRows = rows.filter(({ family }) => themeText.includes(textOr(asText(family), '').toLowerCase()));
  return Promise.all(
    usedRows.map(async ({ id, family, weight, style }): Promise<OwnFont> => {
      const [row] = await reader.rows(sql`select ${field('data')} as data from font where id = ${asText(id)}`);
      return {
        family: textOr(asText(family), ''),
        isBold: weight === 'bold',
        isItalic: style === 'italic',
        data: textOr(asText(row?.['data']), ''),
      };
    }),
  );
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
