import type { JsonObject } from '@inlay/contract';
import type { DemoDashboard, DemoEntry } from './definition.ts';

const texts = (en: string, fr: string, nl: string, ar: string): JsonObject => ({ en, fr, nl, ar });
const order = (column: string, otherMembers: Omit<DemoEntry, 'of' | 'column'> = {}): DemoEntry => ({
  of: 'orders',
  column,
  ...otherMembers,
});
const visit = (column: string, otherMembers: Omit<DemoEntry, 'of' | 'column'> = {}): DemoEntry => ({
  of: 'visits',
  column,
  ...otherMembers,
});

const month = order('ordered', { level: 3 });
const revenue = order('revenue', { by: 'sum' });
const plan = order('plan', { by: 'sum' });
const orders = order('quantity', { by: 'count', label: texts('Orders', 'Commandes', 'Bestellingen', 'الطلبات') });
const margin = order('revenue', {
  formula: '(sum({revenue}) - sum({cost})) / sum({revenue})',
  label: texts('Margin', 'Marge', 'Marge', 'هامش الربح'),
  format: '.1%',
});
const basket = order('revenue', {
  formula: 'sum({revenue}) / count(*)',
  label: texts('Per order', 'Par commande', 'Per bestelling', 'لكل طلب'),
  format: '$,.2f',
  currency: 'USD',
});
const toYearBefore: JsonObject = { comparison: { with: 'year' } };
const largest = (limit: number): JsonObject => ({ sort: { by: 'measure', order: 'desc' }, limit });

/** The first page of the demo: an overview for the owner of a shop. */
export const shopDashboard: DemoDashboard = {
  name: texts('Shop', 'Boutique', 'Winkel', 'المتجر'),
  items: [
    {
      type: 'text',
      at: [0, 0, 24, 7],
      onPhone: [0, 0, 48, 6],
      title: {},
      slots: {
        measure: [order('revenue', { by: 'sum', label: { en: 'revenue' } }), { ...orders, label: { en: 'orders' } }],
      },
      options: {
        text: texts(
          '**{{revenue}}** from **{{orders}}** orders in this period. Choose a country on the map or a bar: everything else follows.',
          '**{{revenue}}** pour **{{orders}}** commandes sur cette période. Choisissez un pays sur la carte ou une barre : tout le reste suit.',
          '**{{revenue}}** uit **{{orders}}** bestellingen in deze periode. Kies een land op de kaart of een staaf: al het andere volgt.',
          '**{{revenue}}** من **{{orders}}** طلبًا في هذه الفترة. اختر بلدًا على الخريطة أو عمودًا وسيتبعه كل شيء آخر.',
        ),
      },
    },
    {
      type: 'date-comparison-filter',
      at: [24, 0, 12, 7],
      onPhone: [0, 6, 48, 4],
      title: texts('Period', 'Période', 'Periode', 'الفترة'),
      slots: { time: [order('ordered')] },
    },
    {
      type: 'dropdown-filter',
      at: [36, 0, 12, 7],
      onPhone: [0, 10, 48, 4],
      title: texts('Category', 'Catégorie', 'Categorie', 'الفئة'),
      slots: { dimension: [order('category')] },
    },
    {
      type: 'evolution-number',
      at: [0, 7, 12, 12],
      onPhone: [0, 14, 24, 9],
      title: texts('Revenue', 'Chiffre d’affaires', 'Omzet', 'الإيرادات'),
      slots: { measure: [revenue], evolution: [month] },
      options: toYearBefore,
    },
    {
      type: 'evolution-number',
      at: [12, 7, 12, 12],
      onPhone: [24, 14, 24, 9],
      title: texts('Orders', 'Commandes', 'Bestellingen', 'الطلبات'),
      slots: { measure: [orders], evolution: [month] },
      options: toYearBefore,
    },
    {
      type: 'evolution-number',
      at: [24, 7, 12, 12],
      onPhone: [0, 23, 24, 9],
      title: texts('Average order', 'Panier moyen', 'Gemiddelde bestelling', 'متوسط الطلب'),
      slots: { measure: [basket], evolution: [month] },
      options: toYearBefore,
    },
    {
      type: 'conditional-number',
      at: [36, 7, 12, 12],
      onPhone: [24, 23, 24, 9],
      title: texts('Against plan', 'Face à l’objectif', 'Tegenover het plan', 'مقابل الخطة'),
      slots: { measure: [revenue], target: [plan], evolution: [month] },
      options: toYearBefore,
    },
    {
      type: 'combination-chart',
      at: [0, 19, 26, 20],
      onPhone: [0, 32, 48, 17],
      title: texts('Revenue and margin', 'Chiffre d’affaires et marge', 'Omzet en marge', 'الإيرادات وهامش الربح'),
      slots: { 'x-axis': [month], measure: [revenue, margin] },
    },
    {
      type: 'choropleth-map',
      at: [26, 19, 22, 20],
      onPhone: [0, 49, 48, 16],
      title: texts('Where customers are', 'Où sont les clients', 'Waar klanten zijn', 'أماكن العملاء'),
      slots: { geo: [order('country')], measure: [revenue] },
    },
    {
      type: 'heat-table',
      at: [0, 39, 28, 17],
      title: texts('When people order', 'Quand on commande', 'Wanneer men bestelt', 'أوقات الطلب'),
      slots: {
        'x-axis': [order('ordered', { part: 'hour_in_day', label: texts('Hour', 'Heure', 'Uur', 'الساعة') })],
        'y-axis': [order('ordered', { part: 'weekday_name', label: texts('Day', 'Jour', 'Dag', 'اليوم') })],
        measure: [orders],
      },
    },
    {
      type: 'bullet-chart',
      at: [28, 39, 20, 17],
      onPhone: [0, 65, 48, 15],
      title: texts('Categories and plan', 'Catégories et objectif', 'Categorieën en plan', 'الفئات والخطة'),
      slots: { category: [order('category')], measure: [revenue], target: [plan] },
    },
    {
      type: 'funnel-chart',
      at: [0, 56, 16, 19],
      onPhone: [0, 80, 48, 15],
      title: texts(
        'From visit to order',
        'De la visite à la commande',
        'Van bezoek tot bestelling',
        'من الزيارة إلى الطلب',
      ),
      slots: { category: [visit('stage')], measure: [visit('visitors', { by: 'sum' })] },
    },
    {
      type: 'bar-chart',
      at: [16, 56, 16, 19],
      onPhone: [0, 95, 48, 15],
      title: texts('Best sellers', 'Meilleures ventes', 'Bestsellers', 'الأكثر مبيعًا'),
      slots: { 'y-axis': [order('product')], measure: [revenue] },
      options: largest(10),
    },
    {
      type: 'area-chart',
      at: [32, 56, 16, 19],
      onPhone: [0, 110, 48, 16],
      title: texts('Channels', 'Canaux', 'Kanalen', 'القنوات'),
      slots: { 'x-axis': [order('ordered', { level: 2 })], measure: [revenue], legend: [order('channel')] },
      options: { stacked: true, percent: true },
    },
    {
      type: 'pivot-table',
      at: [0, 75, 24, 22],
      title: texts('Revenue by year', 'Chiffre d’affaires par an', 'Omzet per jaar', 'الإيرادات حسب السنة'),
      slots: { row: [order('category')], column: [order('ordered', { level: 1 })], measure: [revenue] },
      options: { totals: true, scale: { type: 'sequential' } },
    },
    {
      type: 'regular-table',
      at: [24, 75, 24, 22],
      onPhone: [0, 126, 48, 18],
      title: texts('Countries', 'Pays', 'Landen', 'البلدان'),
      slots: { columns: [order('country'), orders, revenue, margin] },
      options: { totals: true, bars: true, sort: { by: 'columns', index: 2, order: 'desc' } },
    },
  ],
};
