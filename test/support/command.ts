import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { inlayProgram } from './process.ts';
import { freshDatabase, type Credential, type StoreName } from './service.ts';

/** How a command of the command line ended. */
export interface CommandEnd {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Settings of an installation that a service and commands share. */
export type Installation = Readonly<Record<string, string>>;

/** When to kill a command: so long after it said a thing. */
export interface Kill {
  readonly said: string;
  readonly afterMs: number;
}

/** Runs one command as an operator does, as a process of its own. */
export const inlay = (args: readonly string[], env: Installation, kill?: Kill): Promise<CommandEnd> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [inlayProgram, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (kill !== undefined && out.includes(kill.said))
        timer ??= setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out, err });
    });
  });

/** Returns a new place for a service, with the key and token of its first owner. */
export async function freshInstallation(store: StoreName): Promise<{ env: Installation; owner: Credential }> {
  const owner = { key: randomUUID(), token: randomBytes(32).toString('base64url') };
  const env = {
    INLAY_DATA_DIR: mkdtempSync(join(tmpdir(), 'inlay-cli-')),
    INLAY_BOOTSTRAP_KEY: owner.key,
    INLAY_BOOTSTRAP_TOKEN: owner.token,
    INLAY_BOOTSTRAP_EMAIL: 'first@example.com',
    INLAY_RATE_LIMIT: '0',
    // However busy the machine is, no request is refused for it.
    INLAY_MAX_EVENT_LOOP_DELAY_MS: '60000',
    INLAY_LOG_LEVEL: 'warn',
    ...(store === 'postgres' ? { INLAY_DATABASE_URL: await freshDatabase() } : {}),
  };
  return { env, owner };
}

/** Returns one call of the API of a running service. */
export async function call(
  url: string,
  resource: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const answer = await fetch(`${url}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: JSON.stringify(body),
  });
  const read: Json = JSON.parse(await answer.text());
  return { status: answer.status, body: isObject(read) ? read : {} };
}
