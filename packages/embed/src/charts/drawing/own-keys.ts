import LRU from 'zrender/lib/core/LRU.js';

/**
 * Replaces the caches of text widths in ECharts. ECharts uses plain objects as maps, so that measuring the text
 * `toString` would find the inherited function and put it, or even `Object.prototype`, into the LRU list. The new
 * caches have no prototype. Call this before drawing; further calls do nothing.
 */
export function keepOwnKeys(): void {
  const { prototype } = LRU;
  const get: unknown = Reflect.get(prototype, 'get');
  if (typeof get !== 'function' || get.name === 'getOwn') return;
  Reflect.set(prototype, 'get', function getOwn(this: object, key: string | number): unknown {
    const map: unknown = Reflect.get(this, '_map');
    if (typeof map === 'object' && map !== null && Object.getPrototypeOf(map) !== null)
      Object.setPrototypeOf(map, null);
    return Reflect.apply(get, this, [key]);
  });
}
