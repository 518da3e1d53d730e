import { apiVersion } from '@inlay/contract';
const tasks = `/${apiVersion}/task`;

/** Returns the path of a task's status. */
export const taskPath = (id: string): string => `${tasks}/${id}`;

/** Returns the path of a task's file. */
export const taskFilePath = (id: string): string => `${taskPath(id)}/file`;
