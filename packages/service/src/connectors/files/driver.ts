import { realpath } from 'node:fs/promises';
import type { EngineColumn } from '../../engine/engine.ts';
import type { ConnectionParams, FilesReader, SourceColumn, SourceTable } from '../connector.ts';
import { column, meaningOf } from '../storage-types.ts';
import { SourceProblem } from '../problem.ts';
import type { DriverContext } from '../provider.ts';
import { listFiles, openTable, within, type FileTable } from './folder.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

const source = ({ format, paths }: FileTable) => ({ kind: 'files', format, paths }) as const;

const toColumn = ({ name, storageType, nullable }: EngineColumn): SourceColumn =>
  column(name, meaningOf[storageType], nullable, storageType);

/** Opens the driver of local folders. The engine reads their CSV, Parquet and NDJSON files. */
export function openFiles({ filesDir, describe }: Pick<DriverContext, 'filesDir' | 'describe'>): FilesReader {
  /**
   * Returns the folder of an account. The account's `scope` is a path within the base folder, whose `{organization}`
   * stands for the id of the account's organization.
   */
  const rootOf = async ({ organizationId, scope }: ConnectionParams): Promise<string> => {
    if (filesDir === undefined)
      throw new SourceProblem(
        'settings',
        'Files are not available; an operator can allow a folder with INLAY_FILES_DIR.',
      );
    if (filesDir.includes('{organization}') && !uuid.test(organizationId)) throw new SourceProblem('missing');
    const baseFolder = await realpath(filesDir.replaceAll('{organization}', organizationId)).catch(() => {
      throw new SourceProblem('missing', 'The folder for files does not exist.');
    });
    return scope === null || scope === '' ? baseFolder : within(baseFolder, scope);
  };
  const tableOf = ({ id, kind }: FileTable): SourceTable => ({
    id,
    name: id.split('/').at(-1) ?? id,
    schema: id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : null,
    kind,
    rows: null,
  });
  const openFile = async (params: ConnectionParams, table: string): Promise<FileTable> =>
    openTable(await rootOf(params), table);

  return {
    async test(params) {
      try {
        const { length } = await listFiles(await rootOf(params));
        const message = length === 0 ? 'The folder holds no files that can be read.' : `${length} tables can be read.`;
        return [
          { stage: 'reach', ok: true, cause: null, message: 'The folder is there.' },
          { stage: 'access', ok: length > 0, cause: length > 0 ? null : 'missing', message },
        ];
      } catch (error) {
        const { cause, message } = error instanceof SourceProblem ? error : new SourceProblem('failed');
        return [{ stage: 'reach', ok: false, cause, message }];
      }
    },
    async tables(params) {
      return (await listFiles(await rootOf(params))).map(tableOf);
    },
    async describe(params, what, signal) {
      const tenant = params.organizationId;
      if ('table' in what) {
        const table = await openFile(params, what.table);
        const tables = [{ name: table.id, source: source(table) }];
        return (await describe({ tenant, tables, userQuery: null }, signal)).map(toColumn);
      }
      const tables = (await listFiles(await rootOf(params))).map((table) => ({
        name: table.id,
        source: source(table),
      }));
      return (await describe({ tenant, tables, userQuery: what.query }, signal)).map(toColumn);
    },
    async source(params, table) {
      return source(await openFile(params, table));
    },
  };
}
