import type { Resource } from '../resource/define.ts';
import { acceleration } from './acceleration.ts';
import { account } from './account.ts';
import { aichart } from './aichart.ts';
import { airequest } from './airequest.ts';
import { appearance } from './appearance.ts';
import { authorization } from './authorization.ts';
import { country, locale } from './parts/codes.ts';
import { collection } from './collection.ts';
import { column } from './column.ts';
import { data } from './data.ts';
import { dataprovider } from './dataprovider.ts';
import { dashboardversion } from './dashboardversion.ts';
import { exported } from './export.ts';
import { embedfiltergroup } from './embedfiltergroup.ts';
import { font } from './font.ts';
import { formula } from './formula.ts';
import { generatedescriptions } from './generatedescriptions.ts';
import { group } from './group.ts';
import { hierarchylevel } from './hierarchylevel.ts';
import { identity } from './identity.ts';
import { image } from './image.ts';
import { integration } from './integration.ts';
import { iqformula } from './iqformula.ts';
import { organization } from './organization.ts';
import { plugin } from './plugin.ts';
import { schedule } from './schedule.ts';
import { securable } from './securable.ts';
import { share } from './share.ts';
import { ssoconfig } from './ssoconfig.ts';
import { tag } from './tag.ts';
import { task } from './task.ts';
import { theme } from './theme.ts';
import { user } from './user.ts';

/** The product: every resource of the API. */
export const resources: readonly Resource[] = [
  account,
  securable,
  ssoconfig,
  theme,
  plugin,
  aichart,
  generatedescriptions,
  iqformula,
  airequest,
  organization,
  user,
  group,
  authorization,
  identity,
  column,
  data,
  dataprovider,
  exported,
  appearance,
  formula,
  hierarchylevel,
  tag,
  collection,
  share,
  integration,
  embedfiltergroup,
  schedule,
  dashboardversion,
  image,
  locale,
  country,
  font,
  task,
  acceleration,
];
