import type { Migration } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { data } from './0002-data.ts';
import { airequest } from './0003-airequest.ts';
import { singleSignOn } from './0004-single-sign-on.ts';
import { suborganizationOfAirequests } from './0005-suborganization-of-airequests.ts';
import { giversOfLinks } from './0007-givers-of-links.ts';
import { loginAddresses } from './0008-login-addresses.ts';
import { lookupLinks } from './0009-lookup-links.ts';
import { datasetsOfDashboards } from './0010-datasets-of-dashboards.ts';
import { pagesOfShares } from './0011-pages-of-shares.ts';
import { indexesOfLinks } from './0012-indexes-of-links.ts';
import { fieldsOfClients } from './0013-fields-of-clients.ts';
import { linksToGroups } from './0014-links-to-groups.ts';
import { indexesOfSearches } from './0015-indexes-of-searches.ts';
import { fonts } from './0017-fonts.ts';
import { textsOfRecords } from './0016-texts-of-records.ts';
import { textIndexWithoutPositions } from './0018-text-index-without-positions.ts';
import { textInItsRow } from './0006-text-in-its-row.ts';
import { elementFiles } from './0019-element-files.ts';
import { usesOfThemes } from './0020-uses-of-themes.ts';
import { jobs } from './0021-jobs.ts';
import { accelerations } from './0022-accelerations.ts';
import { refreshWebhooks } from './0023-refresh-webhooks.ts';
import { publications } from './0024-publications.ts';
import { rollups } from './0025-rollups.ts';
import { synonymsOfColumns } from './0026-synonyms-of-columns.ts';
import { featuresOfTokens } from './0027-features-of-tokens.ts';
import { drafts } from './0028-drafts.ts';
import { dashboardsOfEndUsers } from './0029-dashboards-of-end-users.ts';

/** All migrations in order. A released migration never changes. */
export const migrations: readonly Migration[] = [
  initial,
  data,
  airequest,
  singleSignOn,
  suborganizationOfAirequests,
  textInItsRow,
  giversOfLinks,
  loginAddresses,
  lookupLinks,
  datasetsOfDashboards,
  pagesOfShares,
  indexesOfLinks,
  fieldsOfClients,
  linksToGroups,
  indexesOfSearches,
  textsOfRecords,
  fonts,
  textIndexWithoutPositions,
  elementFiles,
  usesOfThemes,
  jobs,
  accelerations,
  refreshWebhooks,
  publications,
  rollups,
  synonymsOfColumns,
  featuresOfTokens,
  drafts,
  dashboardsOfEndUsers,
];
