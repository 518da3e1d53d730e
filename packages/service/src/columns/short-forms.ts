/** By topic: complete words, each with its abbreviations in column names. */
const lists = [
  // Parts of names
  'code: cd, flag: flg, name: nm, type: tp typ, text: txt, number: nbr num, identifier: ident, description: desc descr dsc, reason: rsn, attribute: attr, ' +
    'reference: ref, first name: fname, last name: lname, sequence: seq, version: vers, comment: cmt cmnt, message: msg',
  // Money
  'account: acc acct, amount: amt, balance: bal, budget: bdgt bgt, charge: chrg, credits: cred, currency: curr ccy crncy, discount: disc dscnt dsct, ' +
    'donation: dntn, expense: expns, insurance: insur, invoice: inv, margin: mrgn, payment: pmt pymt pymnt paymt, premium: prem, price: prc, profit: prft, ' +
    'purchase: purch prch, refund: rfnd, revenue: rvn, salary: sal slry, sales: sls, total: tot ttl, transaction: txn trx, value: val, commission: cmsn, cost: cst, sale: sle',
  // People and organizations
  'agent: agt, aircraft: acft, applicant: applcnt applt, carrier: carr, attorney: atty, birth date: dob, candidate: cand, client: clnt, customer: cust cstmr, department: dept, donor: dnr, driver: drv drvr, ' +
    'employee: emp empl, gender: gndr, guest: gst, manager: mgr mngr, manufacturer: mfg mfr mfgr manuf, member: mbr memb mem, membership: mbrshp, ' +
    'organization: org orgn, company: cmpny, owner: ownr, passenger: pax psgr, patient: pat ptnt, person: pers, phone: tel, physician: phys, professor: prof, ' +
    'representative: rep, student: stu stdnt, supervisor: supv spvsr, supplier: supp suppl splr, teacher: tchr, tenant: tnt, university: univ, user: usr, ' +
    'vendor: vndr vend, visitor: vstr, group: grp',
  // Things
  'apartment: apt, brand: brnd, building: bldg, category: cat catg ctgry, channel: chnl chan, class: cls, contract: contr cntrct ctrct, course: crs, ' +
    'device: dvc, document: doc docs, equipment: equip eqp eqpt, item: itm, language: lang, license: lic lcns, machine: mach mchn, material: matl mtrl, ' +
    'method: mthd meth, make: mk, model: mdl, package: pkg pckg, parcel: prcl, page: pg, policy: plcy, position: pos posn, procedure: proc, product: prod prdct, ' +
    'program: pgm prgm prog, project: proj prj, property: prop, question: qstn, receipt: rcpt, report: rpt, request: req rqst, resource: rsrc, result: rslt, ' +
    'route: rte, sample: smpl, segment: seg sgmt, service: svc srvc, session: sess sssn, source: src, stock: stk, subject: subj, ' +
    'subscription: subscr, system: sys, table: tbl, task: tsk, ticket: tkt tckt, vehicle: veh vhcl',
  // Places
  'address: addr, branch: brnch, center: ctr cntr, country: ctry cntry, county: cnty, destination: dest dstn, facility: facil, latitude: lat, ' +
    'location: loc locn, longitude: lng lon long, neighborhood: nbhd, office: ofc, origin: orig, region: reg rgn, room: rm, station: stn, territory: terr, ' +
    'warehouse: whse whs wrhs',
  // Times
  'arrival: arr arrvl, created: crtd, date: dt dte, duration: dur drtn, hour: hr, hours: hrs, month: mth mnth, quarter: qtr, received: rcvd recd, ' +
    'response: resp rsp, schedule: sched, start: strt, updated: updt, week: wk, weekday: wkday dow, year: yr, years: yrs',
  // Measures
  'average: avg, count: cnt, distance: dist, frequency: freq, height: ht hgt, length: len lgth, level: lvl, maximum: max, minimum: min, ' +
    'percent: pct perc prcnt, points: pts, quality: qlty, quantity: qty qnty, rate: rt, nights: nts, rating: rtg rtng, ranking: rnk, score: scr, size: sz, speed: spd, ' +
    'temperature: temp tmp, usage: usg, utilization: utl utlz, weight: wt wgt, width: wdth',
  // States
  'active: actv, approved: apprvd aprvd, available: avail, billable: blbl billbl, cancelled: cncl cancl cncld canc cxl, closed: clsd, ' +
    'collected: collct collctd, completed: cmpltd, complaint: cmplnt, confirmed: cnfrmd, damaged: dmg dmgd, defect: dfct, delayed: dly dlyd, ' +
    'delivered: dlvd dlvrd, delivery: dlv dlvry dlvy, overdue: ovd ovrdue, pending: pndg, priority: prio prty, renewed: rnwd, resolved: rslvd rslv, ' +
    'returned: rtn rtrn rtnd, severity: sev, shipped: shpd, solved: slvd, status: stat sts stts, success: succ',
  // Business and public services
  'accident: acdt, activity: actvty, appointment: appt, attendance: attnd, campaign: cmpgn, claim: clm, diagnosis: diag dx, education: edu educ, ' +
    'electricity: elec, energy: nrg enrgy, enrollment: enr enrl, environment: env, event: evt, flight: flt, incident: incdt incid, inspection: insp inspn, ' +
    'inventory: invt invty, maintenance: maint mntnc, market: mkt, marketing: mktg, meter: mtr, mileage: mlg, odometer: odo, operation: oper, order: ord ordr, ' +
    'outcome: outc, performance: perf, permit: prmt, prescription: rx, production: prodn, rental: rntl, reservation: resv rsvn, review: rvw, shift: shft, ' +
    'shipment: shpmt shpt, survey: srvy, training: trng, transfer: xfer, transport: transp, treatment: trtmt, violation: viol, visit: vst, waste: wst, water: wtr, work: wrk',
];

/** Abbreviations that are common in column names, with the complete words. */
export const shortForms: ReadonlyMap<string, string> = new Map(
  lists
    .flatMap((list) => list.split(', '))
    .flatMap((entry) => {
      const [complete = '', forms = ''] = entry.split(': ');
      return forms.split(' ').map((form) => [form, complete] as const);
    }),
);

/** Abbreviations that stand for several words, so that a name is not spelled out by them. */
const doubtfulForms: ReadonlyMap<string, readonly string[]> = new Map(
  (
    'acc accident access, br branch brand, act activity actual action, adm admission administration, appl application applicant appliance, app application, assoc association associate, ' +
    'apt apartment airport, att attendance attachment, cap capacity capital, cert certificate certification, chg charge change, cmpl complete complaint, coll collected collection college, ' +
    'comm commission comment, comp complaint compensation company, compl completed complaint, cond condition, conf conference confirmed, cons consumption consumer, cont contract contact, ' +
    'conv conversion converted, def defect, dep departure deposit department, dev device deviation, dist district, div division dividend, dr doctor driver, eff efficiency effective, emis emission, eng engine engineer, ' +
    'ent entry entity, est estimate establishment, exp expense expiry experience, fac facility faculty, fin financial finished, gen generation gender, hosp hospital, hist history, imp impressions import, ' +
    'inc income incident, ind industry indicator, inj injury, ins insurance inspection, inst institution installation, int interest, intv intervention interview, inv inventory investment, iss issue, lib library, los stay, mat material, ' +
    'med medical medium, mem memory, mod module model, mov movement, obs observation, occ occupation occupancy, ln line lane loan, off office officer offence offense, op operation operator, opp opportunity, part participant partner, ' +
    'pass passenger password, pat patent, pol policy, pop population, pos point, pres presence president, proc process, prof profile profession, prom promotion, prov provider province, pub publisher publication, ' +
    'qual quality qualification, rec record received, rep report, res result resource reservation, ret return returned, rev revenue review, sch school schedule, ' +
    'sec section security sector, ser series serial, serv service server, sol solution, spec specification specialty, spons sponsor, sub subscription subject, sup supplier support supervisor, sus suspect, tech technician technology, ' +
    'term terminated, trans transaction transport, treat treatment, util utilization utility, ver version, vol volume volunteer voluntary'
  )
    .split(', ')
    .map((entry) => {
      const [form = '', ...complete] = entry.split(' ');
      return [form, complete] as const;
    }),
);

/** Returns the words that a word of a column name may abbreviate, the usual one first; none if it is no known abbreviation. */
export function longFormsOf(name: string): readonly string[] {
  const usual = shortForms.get(name);
  const others = doubtfulForms.get(name) ?? [];
  return usual === undefined ? others : [usual, ...others];
}

const consonantsIn = (text: string): number => text.replaceAll(/[aeiou]/gu, '').length;

/** Least and largest number of letters of an abbreviation, and how many it leaves out at least at the end of a word. */
const [minShort, maxShort, minLeftOut] = [3, 8, 2];

/** True if hardly any vowel follows the first letter of a name. */
function isMostlyConsonants(name: string): boolean {
  const vowels = name.length - 1 - consonantsIn(name.slice(1));
  return vowels === 0 || (vowels === 1 && name.length > 4);
}

/** True for a word of a column name that may be an abbreviation by its letters. */
export const looksAbbreviated = (name: string): boolean =>
  /^[a-z]+$/u.test(name) && name.length >= minShort && name.length <= maxShort;

/**
 * True if a name abbreviates a word: it is its beginning, as `prac` is of "practice", or begins like it, is mostly
 * consonants, and has at least half of those of the word in their order, as `chnl` has of "channel".
 */
export function abbreviates(name: string, word: string): boolean {
  if (name[0] !== word[0]) return false;
  // Plurals: `clks` abbreviates "clicks".
  if (name.length > minShort && name.endsWith('s') && abbreviates(name.slice(0, -1), word)) return true;
  if (word.startsWith(name)) return word.length >= name.length + minLeftOut;
  let at = 0;
  for (const letter of name) {
    const found = word.indexOf(letter, at);
    if (found < 0) return false;
    at = found + 1;
  }
  return isMostlyConsonants(name) && 2 * consonantsIn(name.slice(1)) >= consonantsIn(word.slice(1));
}
