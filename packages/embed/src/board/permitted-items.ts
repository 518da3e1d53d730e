import { exportFormats, listOr, member, type Feature, type Item, type JsonObject } from '@inlay/contract';

/** True if the viewer may do what a feature allows. */
export type May = (feature: Feature | `!${Feature}`) => boolean;

/** Returns the items of a view without drill levels and formats of files that the service would refuse. */
export function permittedItems(items: readonly Item[], options: JsonObject, may: May): readonly Item[] {
  const formats = exportFormats.filter((format) => may(`export_${format}`));
  const mayDrill = may('drill');
  if (mayDrill && formats.length === exportFormats.length) return items;
  return items.map((item) => {
    const offered = member(item.options, 'exports') ?? member(options, 'exports') ?? null;
    const exports = offered === null ? formats : formats.filter((format) => listOr(offered).includes(format));
    const slots = item.slots.map(({ name, content }) => ({
      name,
      content: content.map((entry) => ({ ...entry, lowestLevel: entry.level })),
    }));
    return { ...item, options: { ...item.options, exports }, slots: mayDrill ? item.slots : slots };
  });
}
