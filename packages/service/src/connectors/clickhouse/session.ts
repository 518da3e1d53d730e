import { randomUUID } from 'node:crypto';
import type { Outbound } from '../../outbound/index.ts';
import type { SourceFeatures, SourceRows } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import type { Encryption } from '../session/encryption.ts';
import { connectFirst, openOverHttp, reconnecting, type TransportRequest } from '../session/http-transport.ts';
import { interruptible } from '../session/interruptible.ts';
import { opening } from '../session/opening.ts';
import type { SessionKind } from '../session/session-pool.ts';
import { AnswerRows } from './answer-rows.ts';
import { Channel, type BoundStatement } from './channel.ts';
import { ClickhouseError, clickhouseFailure } from './failure.ts';
import { ports } from './ports.ts';
import { memoryBytes } from './properties.ts';
import { settingsOf, type Profile, type StatementLimits } from './settings.ts';

interface SessionFacts {
  readonly encryption: Encryption;
  readonly version: string;
  readonly lastYear: number;
  readonly profile: Profile;
  readonly memoryBytes: number;
  /** Table functions of the server, in lower case. */
  readonly tableFunctions: ReadonlySet<string>;
}

/** A signed-in user at the HTTP port of a server. Runs one statement at a time. */
export class ClickhouseSession {
  readonly encryption: Encryption;
  readonly tableFunctions: ReadonlySet<string>;
  /** Custom queries that the server has already parsed as separate statements. */
  readonly parsed = new Set<string>();
  readonly #channel: Channel;
  readonly #facts: SessionFacts;
  #deadline = 0;
  #running: { readonly queryId: string; readonly controller: AbortController } | undefined;
  #isBroken = false;

  constructor(channel: Channel, facts: SessionFacts) {
    this.#channel = channel;
    this.#facts = facts;
    this.encryption = facts.encryption;
    this.tableFunctions = facts.tableFunctions;
  }

  get features(): SourceFeatures {
    const { version, lastYear } = this.#facts;
    return { version: `ClickHouse ${version}`, zones: true, lastYear };
  }

  get profile(): Profile {
    return this.#facts.profile;
  }

  get isSound(): boolean {
    return !this.#isBroken;
  }

  /** Id of the running statement; null if none is running. */
  get queryId(): string | null {
    return this.#running?.queryId ?? null;
  }

  /** Runs a statement within its limits. Resolves when its answer begins. Raises ClickhouseError. */
  async run(statement: BoundStatement, limits: StatementLimits): Promise<AnswerRows> {
    const running = { queryId: randomUUID(), controller: new AbortController() };
    this.#running = running;
    const settings = settingsOf(this.#facts.profile, limits, this.#facts.memoryBytes);
    return new AnswerRows(await this.#channel.send(statement, settings, running.queryId, running.controller.signal));
  }

  /** Sets the deadline of short statements. */
  begin(deadline: number): void {
    this.#deadline = deadline;
  }

  /** Runs a short statement and returns its rows. Raises ClickhouseError. */
  async rows(sql: string, params: BoundStatement['params'] = []): Promise<SourceRows> {
    const answer = await this.run({ sql, params }, { deadline: this.#deadline, rows: null });
    return allRows(answer);
  }

  /** Marks the statement as ended. */
  end(): void {
    this.#running = undefined;
  }

  /** Closes the connection and ends the running statement at the server. */
  async cancel(): Promise<void> {
    this.close();
    const running = this.#running;
    if (running === undefined) return;
    running.controller.abort();
    await this.#channel.kill(running.queryId);
  }

  close(): void {
    this.#isBroken = true;
    this.#channel.close();
  }
}

/** Oldest version whose settings are those that are sent. */
const oldest = [24, 3] as const;

function checkVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new SourceProblem(
      'settings',
      `The database has the version ${version}; the oldest supported one is ${oldest.join('.')}.`,
    );
}

async function allRows(answer: AnswerRows): Promise<SourceRows> {
  const rows: SourceRows[number][] = [];
  for (let batch = await answer.read(1000); batch.length > 0; batch = await answer.read(1000)) rows.push(...batch);
  return rows;
}

/** Error code for a setting that the profile of the user does not let change. */
const settingRefused = 164;

const noLimits = (): SourceProblem =>
  new SourceProblem(
    'settings',
    'The profile of the user has the setting readonly = 1, with which no limits can be sent; set it to 2.',
  );

const probe = `select version(), toInt64(getSetting('readonly')), toFloat64(getSetting('max_execution_time')),
  toFloat64(getSetting('max_memory_usage')), toYear(toDate32('9999-12-31'))`;

/** Signs in and asks for what the server and the profile of the user allow. */
async function factsOf(channel: Channel, encryption: Encryption, request: TransportRequest): Promise<SessionFacts> {
  const ask = async (sql: string): Promise<SourceRows> =>
    allRows(new AnswerRows(await channel.send({ sql, params: [] }, {}, randomUUID(), request.signal)));
  const [[version, readonly, maxExecutionS, maxMemoryBytes, lastYear] = []] = await ask(probe).catch(
    (error: unknown) => {
      throw error instanceof ClickhouseError && error.code === settingRefused ? noLimits() : error;
    },
  );
  checkVersion(String(version));
  if (Number(readonly) === 1) throw noLimits();
  const functions = await ask('select name from system.table_functions');
  return {
    encryption,
    version: String(version),
    lastYear: Number(lastYear),
    profile: {
      readonly: Number(readonly),
      maxExecutionS: Number(maxExecutionS),
      maxMemoryBytes: Number(maxMemoryBytes),
    },
    memoryBytes: memoryBytes(request.params.properties),
    tableFunctions: new Set(functions.map(([name]) => String(name).toLowerCase())),
  };
}

async function openSession(request: TransportRequest): Promise<ClickhouseSession> {
  const transport = await connectFirst(request);
  const { socket, encryption } = transport;
  const channel = await Channel.over(request, encryption, reconnecting(transport, request));
  try {
    const interruption = { ...request, interrupt: () => channel.close() };
    const facts = await opening(socket, request.deadline, request.signal, () =>
      interruptible(factsOf(channel, encryption, request), interruption),
    );
    return new ClickhouseSession(channel, facts);
  } catch (error) {
    channel.close();
    throw error;
  }
}

/** Opens sessions of ClickHouse servers. Connects only to addresses that the outbound policy allows. */
export const clickhouseSessions = (outbound: Outbound): SessionKind<ClickhouseSession> => ({
  open: openOverHttp(outbound, ports, openSession, clickhouseFailure),
  isSound: (session) => session.isSound,
  close: (session) => session.close(),
});
