import LRU from 'zrender/lib/core/LRU.js';

/**
 * The text-width cache of ECharts stores keys in a plain object: measuring `toString` finds the inherited function and
 * links it, or even `Object.prototype`, into the LRU list. This gives the caches objects without a prototype. Call
 * before drawing; idempotent.
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
