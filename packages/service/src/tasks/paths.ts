import { apiVersion } from '@inlay/contract';
const tasks = `/${apiVersion}/task`;

/** The address of a task, for its status. */
export const taskPath = (id: string): string => `${tasks}/${id}`;

/** The address of its file. */
export const taskFilePath = (id: string): string => `${taskPath(id)}/file`;
