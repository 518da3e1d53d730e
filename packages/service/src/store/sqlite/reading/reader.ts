import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { connectSqlite } from '../connection.ts';
import { faultOf } from '../messages.ts';
import type { FromReader, ReaderStart, ToReader } from './threads.ts';
import type { Row } from '../../store.ts';

const busyMs = 2_000;
/** Number of characters of rows per message, small enough not to occupy the receiver for long. */
const lettersTogether = 262_144;
/** Maximum number of row messages that the receiver has not taken yet. */
const maxWaiting = 2;

const lettersOf = (row: Row): number => {
  let characters = 0;
  for (const name in row) {
    const value = row[name];
    characters += typeof value === 'string' ? value.length : 8;
  }
  return characters;
};

/** Handles one statement at a time. The first statement of a transaction begins the transaction. */
function serve(port: MessagePort, { file, taken }: ReaderStart): void {
  const connection = connectSqlite(file, { readOnly: true, busyMs });
  const send = (message: FromReader): void => port.postMessage(message);
  let sentBatches = 0;
  const sendRows = (rows: readonly Row[]): void => {
    send({ kind: 'rows', rows });
    sentBatches += 1;
    for (
      let takenBatches = Atomics.load(taken, 0);
      sentBatches - takenBatches >= maxWaiting;
      takenBatches = Atomics.load(taken, 0)
    )
      Atomics.wait(taken, 0, takenBatches);
  };
  port.on('message', (message: ToReader) => {
    if (message.kind === 'end') {
      connection.endReading();
      return;
    }
    const { text, values, inTransaction } = message;
    try {
      if (inTransaction && !connection.database.isTransaction) connection.keyword('begin');
      let rows: Row[] = [];
      let characters = 0;
      let lettersOfAll = 0;
      for (const row of connection.each(text, values)) {
        const lettersHere = lettersOf(row);
        rows.push(row);
        characters += lettersHere;
        lettersOfAll += lettersHere;
        if (characters < lettersTogether) continue;
        sendRows(rows);
        rows = [];
        characters = 0;
      }
      if (rows.length > 0) sendRows(rows);
      send({ kind: 'end', letters: lettersOfAll });
    } catch (error) {
      send({ kind: 'fault', fault: faultOf(error) });
    }
  });
}

const startData: unknown = workerData;
const isStart = (value: unknown): value is ReaderStart =>
  typeof value === 'object' &&
  value !== null &&
  'file' in value &&
  typeof value.file === 'string' &&
  'taken' in value &&
  value.taken instanceof Int32Array;
if (parentPort !== null && isStart(startData)) serve(parentPort, startData);
