import { readDomains, tableOf } from '/work/cond/bench/questions/domain.ts';
import { generateRows } from '/work/cond/bench/questions/generate.ts';
import { ask } from '/work/cond/packages/service/src/aichart/engine.ts';import { textsToLookUp } from '/work/cond/packages/service/src/aichart/understand.ts';
import { titleIn } from '/work/cond/packages/service/src/aichart/write/titles.ts';
import { MemberIndex } from '/work/cond/packages/service/src/data/values/member-index.ts';
const [domainName, ...texts] = process.argv.slice(2);
const json = JSON.stringify;
for (const domain of readDomains(process.env.HELD ? 'held-out' : 'domains')) {
  if (domainName !== 'all' && domain.name !== domainName) continue;
  const datasets = new Map(domain.tables.map((table) => {
    const rows = generateRows(domain.name, table, domain.today);
    const language = table.language ?? 'en';
    const columns = table.columns.map((c, i) => {
      const values = rows.map((r) => r[c.name]).filter((v) => v !== null && v !== undefined);
      const nums = values.filter((v) => typeof v === 'number');
      const whole = nums.length === values.length && nums.every((n) => Number.isInteger(n));
      return { id: `01a21e8d-d196-7003-b591-1de2f0b898${String(10 + i)}`, position: i, name: { [language]: c.label ?? c.name }, sourceName: c.name, description: {}, synonyms: [], type: c.type, subtype: null, format: null, aggregation: 'sum', cardinality: new Set(values).size, span: whole && nums.length ? Math.max(...nums) - Math.min(...nums) : null };
    });
    const dataset = { id: "018f7eb0-ff62-7000-8691-776f0ad98cc9", name: { [language]: table.label ?? table.name }, description: {}, columns };
    const members = columns.map((c, i) => c.type !== 'hierarchy' ? [] : new MemberIndex([...new Set(rows.map((r) => String(r[table.columns[i].name] ?? '')))].map((id) => ({ id, texts: [id] }))));
    const find = (texts) => {
      const byText = new Map();
      for (const text of texts) {
        const found = [];
        members.forEach((index, column) => { if (!Array.isArray(index)) for (const m of index.find(text)) found.push({ column, value: m.member.id, distance: m.distance }); });
        if (found.length) byText.set(text, found.sort((a, b) => a.distance - b.distance));
      }
      return { byText, isComplete: true, hasFailed: false };
    };
    return [table.name, { dataset, find, table }];
  }));
  const show = async (tableName, text, history) => {
    const { dataset, find } = datasets.get(tableName);
    const request = { requested: 'chart', question: text, history, today: domain.today };
    const found = find(textsToLookUp(dataset, request));
    const U = await import('/work/cond/packages/service/src/aichart/understand.ts'); const un = U.understand(U.profileOf(dataset), text, domain.today, found); const qw=U.wordsIn(U.profileOf(dataset), text, domain.today); console.log(qw.language, qw.words.map(w=>w.text).join('|'), '=>', un.reading.words.map(w=>w.text).join('|')); console.log(json(qw.mentions.map(m=>[m.start,m.end,m.options.map(o=>[o.column,o.strength])])));const { profile, plans, message, alternatives } = ask(dataset, request, found);
    const [plan] = plans;
    if (!plan) return console.log(text, '-> nothing', message);
    const col = (i) => i === null ? 'rows' : Object.values(dataset.columns[i].name)[0];
    const q = (x) => x.computed ? json(x.computed, (k, v) => (k === 'column' || k === 'time') && typeof v === 'number' ? col(v) : v) : `${x.aggregation} ${col(x.column)}`;
    console.log(`${text}\n   ${plan.type}: ${plan.quantities.map(q).join(' ; ')} BY ${plan.groups.map((g) => `${col(g.column)}${g.grain ? ` ${g.grain}` : ''}`).join(', ')}${plan.legend ? ` / ${col(plan.legend.column)}` : ''} ${plan.limit ?? ''} ${plan.sort ? json(plan.sort) : ''}`);
    if (plan.conditions.length) console.log(`   where ${json(plan.conditions, (k, v) => k === 'column' && typeof v === 'number' ? col(v) : v)}`);
    console.log(`   "${titleIn(profile, plan, 'en')}"${message ? ` | ${message}` : ''}`);
  };
  if (texts.length > 1) { await show(texts[0], texts.at(-1), texts.slice(1, -1)); continue; }
  const ids = new Set((texts[0] ?? '').split(',').filter(Boolean));
  const byId = new Map(domain.questions.map((x) => [x.id, x]));
  for (const question of domain.questions) {
    if (ids.size && !ids.has(question.id.split('-')[1])) continue;
    const history = []; let before = question.after; while (before) { const b = byId.get(before); history.unshift(b.text); before = b.after; }
    process.stdout.write(`${question.id} `);
    show(tableOf(domain, question), question.text, history);
  }
}
