import { isList } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { drawSchema, visibleRows, type LinkedSchema } from '../support/linked-schema.ts';
import { storesToTest } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';

describe.each(storesToTest)('row filters over any linked datasets on %s', (store) => {
  const api = useApi(store);
  const { dataset, link, filter, token, values } = linkedDatasets(api);

  const names = ['id', 'tenant', 'left', 'right', 'amount'] as const;
  async function stored(schema: LinkedSchema): Promise<readonly LinkedDataset[]> {
    const made: LinkedDataset[] = [];
    for (const rows of schema.datasets) {
      // Text and number columns keep their types where all values are null.
      const data = rows.map((row) => names.map((name) => row[name]));
      made.push(await dataset([[...names], [-1, 'nobody', -2, -2, -3], ...data]));
    }
    for (const { from, column, to, type } of schema.links) {
      const [one, other] = [made[from], made[to]];
      if (one !== undefined && other !== undefined) await link(one, column, other, 'id', type);
    }
    return made;
  }

  it('show exactly the rows that going through them one by one shows, and none once a link is gone', async () => {
    const asked = counted(24, 10_000);
    let queries = 0;
    let bounded = 0;
    for (let seed = 1; queries < asked; seed += 1) {
      const random = randomOf(seed);
      const schema = drawSchema(random);
      const made = await stored(schema);
      const open = made.filter(() => random.below(4) > 0);
      const filters = schema.filters.flatMap(({ dataset: at, value, propagate }) => {
        const of = made[at];
        return of === undefined ? [] : [filter(of, 'tenant', value, { propagate })];
      });
      const by = await token(open, filters);
      for (const one of open) {
        const place = made.indexOf(one);
        const expected = visibleRows(schema, place).map(({ amount }) => amount);
        if (expected.length < (schema.datasets[place]?.length ?? 0)) bounded += 1;
        const sorted = expected.toSorted((left, right) => left - right);
        const found = await values(one, 'amount', by);
        const shown = isList(found) ? found.filter((amount) => amount !== -3) : found;
        expect(shown, `seed ${seed}, dataset ${place}`).toEqual(sorted);
        queries += 1;
      }
      const [gone] = schema.links.filter(({ type }) => type === 'lookup');
      const [from, to] = gone === undefined ? [] : [made[gone.from], made[gone.to]];
      if (gone === undefined || from === undefined || to === undefined) continue;
      await api.dissociate('column', from.columns[gone.column], 'Joins', to.columns['id']);
      for (const one of open) {
        const place = made.indexOf(one);
        const expected = visibleRows(schema, place).map(({ amount }) => amount);
        const found = await values(one, 'amount', by);
        // Another link may still lead there; then only its own rows count, and never more than all filters let through.
        if (!isList(found)) expect(found).toBe('row_filter_invalid');
        else if (!schema.links.some((other) => other !== gone && other.from === gone.from && other.to === gone.to))
          for (const amount of found) expect([...expected, -3], `seed ${seed}, dataset ${place}`).toContain(amount);
        queries += 1;
      }
    }
    expect(bounded).toBeGreaterThan(asked / 10);
  }, 1_800_000);
});
