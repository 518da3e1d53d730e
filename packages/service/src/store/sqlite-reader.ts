import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { connectSqlite } from './sqlite-connection.ts';
import { faultOf } from './sqlite-messages.ts';
import type { FromReader, ToReader } from './sqlite-readers.ts';
import type { Row } from './store.ts';

const busyMs = 2_000;
/** Letters of the rows that are sent together, so that whoever takes them is never busy for long. */
const lettersTogether = 262_144;

const lettersOf = (row: Row): number => {
  let letters = 0;
  for (const name in row) {
    const value = row[name];
    letters += typeof value === 'string' ? value.length : 8;
  }
  return letters;
};

/** Answers one statement after the other. */
function serve(port: MessagePort, file: string): void {
  const connection = connectSqlite(file, { readOnly: true, busyMs });
  const send = (message: FromReader): void => port.postMessage(message);
  port.on('message', ({ text, values }: ToReader) => {
    try {
      let rows: Row[] = [];
      let letters = 0;
      for (const row of connection.each(text, values)) {
        rows.push(row);
        letters += lettersOf(row);
        if (letters < lettersTogether) continue;
        send({ kind: 'rows', rows });
        rows = [];
        letters = 0;
      }
      if (rows.length > 0) send({ kind: 'rows', rows });
      send({ kind: 'end' });
    } catch (error) {
      send({ kind: 'fault', fault: faultOf(error) });
    }
  });
}

const started: unknown = workerData;
const isStarted = (value: unknown): value is { readonly file: string } =>
  typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string';
if (parentPort !== null && isStarted(started)) serve(parentPort, started.file);
