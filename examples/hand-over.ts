/**
 * Hands everything one person owns over to another, as when somebody leaves: the new owner first, then the old one out,
 * because a record is never without an owner.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/hand-over.ts <email of the new owner>
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import { clientFrom } from './connect.ts';

const inlay = clientFrom(process.env);
const [, , email = ''] = process.argv;

const [me] = await inlay.search('authorization', {
  where: { id: process.env['INLAY_KEY'] ?? '' },
  attributes: ['user_id'],
});
const [heir] = await inlay.search('user', { where: { email }, attributes: ['email'] });
const leaving = me?.user_id;
if (leaving === undefined || leaving === null) throw new Error('the credential belongs to nobody');
if (heir === undefined) throw new Error(`nobody has the address ${email}`);

// All of them first: a record that has changed hands is on no later page.
const owned = [];
for await (const record of inlay.all('securable', { where: { owner_id: leaving }, attributes: ['type'] }))
  owned.push(record);

for (const { id, type } of owned) {
  await inlay.associate('securable', id, { role: 'Users', id: heir.id }, { flagOwner: true });
  await inlay.dissociate('securable', id, { role: 'Users', id: leaving });
  const { owner_id: owner } = await inlay.get('securable', id);
  console.log(`${String(type)} ${id} now belongs to ${String(owner)}`);
}
