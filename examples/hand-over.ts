/**
 * Hands everything one person owns over to another, as when somebody leaves: the new owner first, then the old one out,
 * because a record is never without an owner.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/hand-over.ts <email of the new owner>
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import { call, callForOne, connectionFrom, search } from './api.ts';

const inlay = connectionFrom(process.env);
const [, , email = ''] = process.argv;

const [me] = await search(inlay, 'authorization', { where: { id: inlay.key }, attributes: ['user_id'] });
const [heir] = await search(inlay, 'user', { where: { email }, attributes: ['email'] });
if (heir === undefined) throw new Error(`nobody has the address ${email}`);

const owned = await search(inlay, 'securable', {
  where: { owner_id: String(me?.['user_id']) },
  attributes: ['type', 'name'],
});

for (const { id, type } of owned) {
  await call(inlay, 'securable', {
    action: 'associate',
    id,
    resource: { role: 'Users', id: heir.id },
    properties: { flagOwner: true },
  });
  const after = await callForOne(inlay, 'securable', {
    action: 'dissociate',
    id,
    resource: { role: 'Users', id: me?.['user_id'] },
  });
  console.log(`${String(type)} ${id} now belongs to ${String(after['owner_id'])}`);
}
