import { backup, restore } from './backup.ts';
import { doctor } from './doctor.ts';
import type { CliCommand } from './host.ts';
import { keysRotate } from './keys-rotate.ts';
import { organizationCreate, organizationList } from './organization.ts';
import { pluginCheck } from './plugin-check.ts';
import { pluginReview } from './plugin-review.ts';
import { showSettings } from './show-settings.ts';
import { ssoUnlock } from './sso-unlock.ts';
import { start } from './start.ts';
import { userCreate } from './user.ts';

/** Every command of the command line. */
export const commands: readonly CliCommand[] = [
  start,
  doctor,
  showSettings,
  organizationCreate,
  organizationList,
  userCreate,
  ssoUnlock,
  keysRotate,
  backup,
  restore,
  pluginCheck,
  pluginReview,
];
