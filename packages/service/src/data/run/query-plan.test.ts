import { expect, it } from 'vitest';
import { mysql } from '../../connectors/mysql/provider.ts';
import { postgresql } from '../../connectors/postgresql/provider.ts';
import { planSteps } from './query-plan.ts';

it('the steps of a plan have tables, indexes and numbers of rows, and no condition', () => {
  const postgres = [
    {
      Plan: {
        'Node Type': 'Aggregate',
        'Plan Rows': 3,
        Plans: [
          {
            'Node Type': 'Index Scan',
            'Relation Name': 'orders',
            'Index Name': 'orders_region',
            'Plan Rows': 20,
            'Index Cond': "(region = 'private'::text)",
          },
        ],
      },
    },
  ];
  expect(planSteps(postgres, postgresql.planMembers)).toEqual([
    'Aggregate, 3 rows',
    '  Index Scan orders by orders_region, 20 rows',
  ]);
  const plan = {
    query_block: {
      select_id: 1,
      grouping_operation: {
        table: {
          table_name: 'orders',
          access_type: 'ref',
          key: 'region',
          rows_examined_per_scan: 7,
          attached_condition: "`orders`.`region` = 'private'",
        },
      },
    },
  };
  expect(planSteps(plan, mysql.planMembers)).toEqual(['ref orders by region, 7 rows']);
});
