import { describe, expect, it } from 'vitest';
import type { ChartColumn, ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import { ask } from '../../packages/service/src/aichart/engine.ts';

const types: Readonly<Record<string, ChartColumn['type']>> = { n: 'numeric', d: 'datetime' };
const idOf = (at: number): string => `00000000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`;

/** Makes a dataset of columns such as `amt/n` and `gift_dt/d`; those without a letter are categories. */
const datasetOf = (name: string, columns: string): ChartDataset => ({
  id: idOf(0),
  name: { en: name },
  description: {},
  columns: columns.split(' ').map((column, position) => {
    const [columnName = '', type = ''] = column.split('/');
    return {
      id: idOf(position + 1),
      position,
      name: { en: columnName },
      sourceName: columnName,
      description: {},
      synonyms: [],
      type: types[type] ?? 'hierarchy',
      subtype: null,
      format: null,
      aggregation: 'sum',
      cardinality: types[type] === undefined ? 6 : 100,
      span: null,
    };
  }),
});

/** Returns what a chart draws: its amounts, and the groups with their grains. */
function drawn(dataset: ChartDataset, question: string): string {
  const [plan] = ask(dataset, { requested: 'chart', question, history: [], today: '2024-05-15' }).plans;
  if (plan === undefined) return 'nothing';
  const nameOf = (column: number | null): string =>
    column === null ? 'rows' : (dataset.columns[column]?.name['en'] ?? '');
  const groups = [...plan.groups, ...(plan.legend === null ? [] : [plan.legend])];
  const amounts = plan.quantities.map(({ column, aggregation }) =>
    aggregation === 'average' ? `average ${nameOf(column)}` : nameOf(column),
  );
  return [amounts, groups.map(({ column, grain }) => `${nameOf(column)}${grain === null ? '' : ` ${grain}`}`)]
    .map((parts) => parts.join(' & '))
    .join(' by ');
}

interface QuestionedTable {
  readonly name: string;
  readonly columns: string;
  /** Questions, each with what their charts draw. */
  readonly questions: readonly (readonly [question: string, expected: string])[];
}

const tables: readonly QuestionedTable[] = [
  {
    name: 'Time entries',
    columns: 'ent_dt/d atty_nm prac_area_cd case_tp hrs_wrk/n blbl_flg clnt_nm',
    questions: [
      ['hours by attorney', 'hrs_wrk by atty_nm'],
      ['horas por abogado', 'hrs_wrk by atty_nm'],
      ['heures par avocat', 'hrs_wrk by atty_nm'],
      ['Stunden pro Anwalt', 'hrs_wrk by atty_nm'],
      ['uren per klant', 'hrs_wrk by clnt_nm'],
      ['entries by practice area', 'rows by prac_area_cd'],
      ['horas por mes del año', 'hrs_wrk by ent_dt month_of_year'],
      ['an welchen Wochentagen arbeiten wir die meisten Stunden', 'hrs_wrk by ent_dt weekday'],
    ],
  },
  {
    name: 'Donations',
    columns: 'gift_dt/d dnr_tp chnl amt/n cmpgn_cd rcrng_flg cntry_cd',
    questions: [
      ['Spenden nach Kanal', 'amt by chnl'],
      ['schenkingen per kanaal', 'amt by chnl'],
      ['Spendenbetrag nach Spendertyp', 'amt by dnr_tp'],
      ['average gift by donor type', 'average amt by dnr_tp'],
      ['monto de donaciones por pais', 'amt by cntry_cd'],
      ['dons mensuels par canal', 'amt by gift_dt month & chnl'],
      ['Spenden pro Monat des Jahres', 'amt by gift_dt month_of_year'],
    ],
  },
  {
    name: 'Loans',
    columns: 'loan_dt/d brnch_nm mbr_tp itm_genre days_out/n fine_amt/n',
    questions: [
      ['heatmap ausleihen wochentag x uhrzeit', 'rows by loan_dt weekday & loan_dt hour_of_day'],
      ['préstamos por día de la semana y hora del día', 'rows by loan_dt weekday & loan_dt hour_of_day'],
      ['weekday × hour', 'rows by loan_dt weekday & loan_dt hour_of_day'],
      ['emprunts par mois de l’année', 'rows by loan_dt month_of_year'],
      ['hoe lang wordt een boek gemiddeld geleend', 'average days_out by '],
      ['fines by member type', 'fine_amt by mbr_tp'],
    ],
  },
  {
    name: 'Flights',
    columns: 'dep_dt/d airline_cd orig_apt dest_apt psgr_cnt/n dly_min/n acft_tp fuel_kg/n',
    questions: [
      ['how many passengers by airline', 'psgr_cnt by airline_cd'],
      ['pasajeros por destino', 'psgr_cnt by dest_apt'],
      ['Verspätung nach Flugzeugtyp', 'dly_min by acft_tp'],
      ['brandstofverbruik per toesteltype', 'fuel_kg by acft_tp'],
      ['how late are flights by airline', 'dly_min by airline_cd'],
    ],
  },
  {
    name: 'Shipments',
    columns: 'ship_dt/d whse_cd carr_nm dest_ctry wgt_kg/n chrg_amt/n pkg_tp',
    questions: [
      ['Gewicht nach Lager', 'wgt_kg by whse_cd'],
      ['kosten per vervoerder', 'chrg_amt by carr_nm'],
      ['coste por transportista', 'chrg_amt by carr_nm'],
      ['Frachtkosten nach Zielland', 'chrg_amt by dest_ctry'],
    ],
  },
  {
    name: 'Visits',
    columns: 'vst_dt/d dr_nm spec wait_min/n dur_min/n',
    questions: [
      ['wachttijd per arts', 'wait_min by dr_nm'],
      ['temps d’attente par médecin', 'wait_min by dr_nm'],
      ['how long do patients wait by specialty', 'wait_min by spec'],
      ['wie lange dauern Besuche nach Arzt', 'dur_min by dr_nm'],
      ['consultas por especialidad', 'rows by spec'],
    ],
  },
  {
    name: 'Orders',
    columns: 'ord_dt/d itm_nm ctgry qty/n unit_prc/n ttl_amt/n chnl store_cd pmt_mthd',
    questions: [
      ['Umsatz nach Zahlungsart', 'ttl_amt by pmt_mthd'],
      ['omzet per betaalwijze', 'ttl_amt by pmt_mthd'],
      ['ventes par mode de paiement', 'ttl_amt by pmt_mthd'],
      ['aantal stuks per winkel', 'qty by store_cd'],
      ['what month has the highest revenue', 'ttl_amt by ord_dt month'],
      ['which hour do we sell most', 'rows by ord_dt hour_of_day'],
    ],
  },
  {
    name: 'Posts',
    columns: 'pub_dt/d pltfrm impr/n clks/n cmpgn_nm',
    questions: [
      ['clics par plateforme', 'clks by pltfrm'],
      ['vertoningen per campagne', 'impr by cmpgn_nm'],
      ['Klicks nach Plattform', 'clks by pltfrm'],
    ],
  },
  {
    name: 'Trips',
    columns: 'strt_ts/d drv_id veh_cls dist_km/n tip_amt/n fare_amt/n pay_tp zone',
    questions: [
      ['tips by driver', 'tip_amt by drv_id'],
      ['kilometers per chauffeur', 'dist_km by drv_id'],
      ['wie weit fahren wir pro Zone', 'dist_km by zone'],
      ['propinas por zona', 'tip_amt by zone'],
      ['Trinkgeld nach Zahlungsart', 'tip_amt by pay_tp'],
    ],
  },
  {
    name: 'Beds',
    columns: 'adm_dt/d wrd_nm los_days/n age_grp',
    questions: [
      ['length of stay by ward', 'los_days by wrd_nm'],
      ['Aufenthaltsdauer nach Station', 'los_days by wrd_nm'],
      ['durée de séjour par service', 'los_days by wrd_nm'],
      ['ligduur per afdeling', 'los_days by wrd_nm'],
      ['opnames per maand van het jaar', 'rows by adm_dt month_of_year'],
    ],
  },
];

describe.each(tables)('$name, whose columns have the names of a database,', ({ name, columns, questions }) => {
  const dataset = datasetOf(name, columns);

  it.each(questions)('answer "%s"', (question, expected) => {
    expect(drawn(dataset, question)).toBe(expected);
  });
});

describe('abbreviations that no table explains', () => {
  it('give way to names, synonyms and the noun of the rows', () => {
    const dataset = datasetOf('Brochures', 'sent_dt/d brchr distributor amt/n');
    expect(drawn(dataset, 'brochures by distributor')).toBe('rows by distributor');
    expect(drawn(datasetOf('Mailings', 'sent_dt/d brchr distributor amt/n'), 'amount by brochure')).toBe(
      'amt by brchr',
    );
  });

  it('are left alone where two columns fit', () => {
    const dataset = datasetOf('Mailings', 'sent_dt/d brchr_a brchr_b amt/n');
    expect(drawn(dataset, 'amount by brochure')).not.toContain('brchr');
  });

  it('are no names by their faint words alone', () => {
    const dataset = datasetOf('Mailings', 'sent_dt/d zzq_cd zzw_tp amt/n');
    expect(drawn(dataset, 'amount by code')).not.toContain('zzq');
    expect(drawn(dataset, 'amount by name')).not.toContain('zz');
  });
});
