import { endUserOf } from '../../../access/end-user.ts';
import { levelOf } from '../../../declare/roles.ts';
import type { Rule } from '../../../resource/rules.ts';

const markEndUser: Rule = {
  name: 'mark-end-user',
  on: ['create'],
  description:
    'A dashboard that an embed token creates belongs to the issuer of the token, and has its suborganization and username.',
  run: async ({ caller }) => {
    if (caller?.type !== 'embed') return undefined;
    const { suborganization, username } = caller;
    return { record: { suborganization, username } };
  },
};

const giveToEndUser: Rule = {
  name: 'give-to-end-user',
  on: ['create'],
  description: 'Every embed token of that suborganization and username owns it, as far as its issuer does.',
  afterwards: true,
  run: async ({ id, caller }, work) => {
    const endUser = caller?.type === 'embed' ? endUserOf(caller) : null;
    if (endUser !== null) await work.link(id, 'securable.EndUser', endUser, levelOf('own'));
    return undefined;
  },
};

/** The end user comes before rules that check what the creator may do with the new record. */
export const endUserRules: readonly Rule[] = [markEndUser, giveToEndUser];
