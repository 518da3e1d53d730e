import LRU from 'zrender/lib/core/LRU.js';

/**
 * ECharts measures texts through a cache that keeps them as members of a plain object: measuring `toString` finds the
 * function of every object there, and links it, or `Object.prototype` itself, into its list. From now on its caches hold
 * what was put there alone. Called before anything is drawn; a second call changes nothing.
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
