import type { Transport } from '@inlay/client/transport';
import { filledText, listOr, objectOr, textOr } from '@inlay/contract';
import { DashboardModel, JsonText } from '@inlay/contract/change';

/** Contents that a dashboard had before an update. specification/dashboards#versions */
export interface VersionRecord {
  readonly id: string;
  readonly name: string | null;
  /** Time of the update that ended it, as the service says it. */
  readonly endedAt: string;
}

/** Number of versions that are listed at once. */
export const versionsAtOnce = 25;

/** Returns versions of a dashboard, the newest first, after those that are listed already. Raises Failure. */
export async function listVersions(
  transport: Transport,
  dashboardId: string,
  offset: number,
): Promise<readonly VersionRecord[]> {
  const answer = await transport.call('dashboardversion', {
    action: 'get',
    find: {
      where: { securable_id: dashboardId, state: 'published' },
      attributes: ['id', 'name', 'created_at'],
      order: [
        ['created_at', 'desc'],
        ['id', 'desc'],
      ],
      limit: versionsAtOnce,
      offset,
    },
  });
  return listOr(objectOr(answer)['rows'])
    .map(objectOr)
    .map(({ id, name, created_at: endedAt }) => ({
      id: textOr(id, ''),
      name: filledText(name),
      endedAt: textOr(endedAt, ''),
    }));
}

/** Loads the contents of a version. Raises Failure. */
export async function loadVersion(transport: Transport, id: string): Promise<DashboardModel> {
  const answer = await transport.file('dashboardversion', { action: 'get', id });
  return DashboardModel.read(JsonText.read(await answer.text()).at(['contents']) ?? '{}').withIds(['item']);
}

/** Gives a version another name; none if it is null. Raises Failure. */
export async function nameVersion(transport: Transport, id: string, name: string | null): Promise<void> {
  await transport.call('dashboardversion', { action: 'update', id, properties: { name } });
}
