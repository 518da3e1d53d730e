import { isObject, isOlder, upgradeContents } from '@inlay/contract';
import type { Resource } from '../../../resource/define.ts';

/** Of a resource with dashboard contents: older structures of them are upgraded when they are read. specification/dashboards#contents */
export const contentsUpgraded: Required<Pick<Resource, 'older' | 'upgrade'>> = {
  older: (record) => isOlder(record['contents'] ?? null),
  upgrade: (record) => {
    const { contents } = record;
    return isObject(contents) ? { ...record, contents: upgradeContents(contents) } : record;
  },
};
