import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { outboundTo } from '../../packages/service/src/outbound/index.ts';

const portOf = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

it('the connection to the cluster reaches its host and port, which may be private, and nothing else', async () => {
  const [cluster, other] = [createServer(), createServer()];
  const [port, otherPort] = [await portOf(cluster), await portOf(other)];
  const outbound = outboundTo('127.0.0.1', port);
  const options = { deadlineMs: 5000, plain: true };
  const socket = await outbound.connect('127.0.0.1', port, options);
  socket.destroy();
  const forbidden = { cause: 'forbidden_address' };
  await expect(outbound.connect('127.0.0.1', otherPort, options)).rejects.toMatchObject(forbidden);
  await expect(outbound.connect('localhost', port, options)).rejects.toMatchObject(forbidden);
  const call = { method: 'GET', deadlineMs: 5000, maxBytes: 1000 } as const;
  await expect(outbound.fetch(`http://127.0.0.1:${port}/`, call)).rejects.toMatchObject(forbidden);
  await outbound.close();
  cluster.close();
  other.close();
});
