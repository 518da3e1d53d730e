import { createSocket, type RemoteInfo } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { systemResolve, type Resolve } from '../../packages/service/src/outbound/connect.ts';

/** A name server on 127.0.0.1 whose answers live for no second. */
export interface DnsStub {
  /** Looks names up here. */
  readonly resolve: Resolve;
  /** How often a name was asked for. */
  asked(name: string): number;
  stop(): void;
}

/** Addresses in digits and `localhost` are read by the system, which knows every spelling; names by the stub. */
export const besideSystem =
  (stub: () => DnsStub): Resolve =>
  (host) =>
    /^(?:0x[\da-f.x]*|[\d.]+|localhost)$/iu.test(host) ? systemResolve(host) : stub().resolve(host);

const wordAt = (packet: Buffer, at: number): number => packet.readUInt16BE(at);

/** Returns the name in a question, and where the question ends. */
function question(packet: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('utf8', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: wordAt(packet, at + 1), end: at + 5 };
}

const v4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
const v6 = (address: string): Buffer => {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

/**
 * Starts a name server. `answers` gives the addresses of a name for its first, second, … question of one type; the last
 * one holds for all that follow.
 */
export async function startDns(answers: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<DnsStub> {
  const counts = new Map<string, number>();
  const server = createSocket('udp4');
  server.on('message', (packet: Buffer, from: RemoteInfo) => {
    const { name, type, end } = question(packet);
    const key = `${name} ${type}`;
    const turn = counts.get(key) ?? 0;
    counts.set(key, turn + 1);
    const list = Object.hasOwn(answers, name) ? (answers[name] ?? []) : [];
    const addresses = (list[Math.min(turn, list.length - 1)] ?? []).filter(
      (address) => address.includes(':') === (type === 28),
    );
    const header = Buffer.from(packet.subarray(0, 12));
    header.writeUInt16BE(list.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(addresses.length, 6);
    header.fill(0, 8, 12);
    const records = addresses.map((address) => {
      const data = type === 28 ? v6(address) : v4(address);
      const fixed = Buffer.alloc(12);
      fixed.writeUInt16BE(0xc00c, 0);
      fixed.writeUInt16BE(type, 2);
      fixed.writeUInt16BE(1, 4);
      fixed.writeUInt16BE(data.length, 10);
      return Buffer.concat([fixed, data]);
    });
    server.send(Buffer.concat([header, packet.subarray(12, end), ...records]), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  const only = async (found: Promise<string[]>, family: number) =>
    (await found.catch(() => [])).map((address) => ({ address, family }));
  return {
    async resolve(host) {
      const [four, six] = await Promise.all([only(resolver.resolve4(host), 4), only(resolver.resolve6(host), 6)]);
      const found = [...four, ...six];
      if (found.length === 0) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      return found;
    },
    asked: (name) => counts.get(`${name} 1`) ?? 0,
    stop: () => server.close(),
  };
}
