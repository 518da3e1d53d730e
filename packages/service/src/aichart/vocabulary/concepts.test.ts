import { fold } from '@inlay/contract/multilingual';
import { describe, expect, test } from 'vitest';
import { areSynonyms, conceptLines, englishSynonymsOf } from './concepts.ts';
import { compoundParts } from './related-words.ts';

/** By kind of business: words of questions, each with a word of a column name that means the same. */
const businesses: Readonly<Record<string, string>> = {
  retail: 'tiendas store, winkels outlet, kassenbons receipt, remises discount, omzet revenue',
  'web shops': 'warenkorb basket, carrito cart, bestellungen order, commandes order, geretourneerd returned',
  wholesale: 'lieferanten vendor, fournisseurs supplier, voorraden stock, almacenes warehouse',
  banks: 'kredite loan, prestamos loan, rekeningen account, comptes account, virements transfer',
  insurance: 'schaden claim, sinistres claim, polissen policy, primas premium, versicherte insured',
  accounting: 'rechnungen invoice, facturen invoice, gastos expense, budget target, steuern tax',
  charities: 'spenden donation, gift donation, gespendet donation, dons gift, donateurs donor, voluntarios volunteer',
  law: 'abogados attorney, anwalt attorney, advocaat lawyer, dossiers case, facturable billable, abrechenbare billable',
  courts: 'urteile verdict, rechtbank court, jueces judge, audience hearing',
  hospitals: 'artsen doctor, opnames admission, altas discharge, lits bed, diagnosen diagnosis',
  practices: 'rezepte prescription, afspraken appointment, consultas visit, traitements treatment',
  laboratories: 'muestras sample, proben sample, echantillons sample',
  'fitness clubs': 'mitglieder member, lidmaatschap membership, socios member, adherents member',
  sports: 'doelpunten goal, jugadores player, spiele match, classement rank, toeschouwers attendance',
  shelters: 'tiere animal, rassen breed, adoptado adopted, refuge shelter',
  libraries: 'ausleihen loan, geleend borrowed, emprunts loan, libros book, verlangert renewed',
  museums: 'bezoekers visitor, ausstellungen exhibition, entradas ticket, oeuvres artwork',
  schools: 'leerlingen pupil, lehrer teacher, notas grade, matieres subject, geslaagd passed',
  universities: 'einschreibungen enrollment, becas scholarship, absolventen graduate, faculteit faculty',
  staff: 'medewerkers employee, salaire salary, krankheit sickness, verzuim absence, conges leave',
  recruiting: 'sollicitanten candidate, bewerber applicant, candidatures application, vacantes vacancy',
  'call centres': 'oproepen call, anrufe call, opgelost solved, wartezeit waiting, satisfaction happiness',
  logistics: 'vervoerders carrier, colis parcel, lieferungen delivery, enviado shipped, verspatet delayed',
  shipping: 'schiffe vessel, navires ship, havens port, lading cargo',
  airlines: 'vluchten flight, geflogen flight, aeropuertos airport, passagiere passenger, bagages baggage',
  railways: 'zuge train, gares station, reizigers passenger, retrasos delay',
  'public transport': 'lijnen route, haltes stop, fahrgaste rider, billetes ticket',
  energy: 'verbrauch consumption, consommation usage, zahler meter, opgewekt generated, electricidad electricity',
  water: 'fuites leak, leidingen pipe, agua water, zahlerstand reading',
  telecom: 'gesprache call, antennes antenna, forfaits plan, cobertura coverage',
  manufacturing: 'fehler defect, storingen failure, usine plant, ausschuss scrap, produziert produced',
  quality: 'keuring inspection, pruf inspection, rejete rejected, calidad quality',
  agriculture: 'oogst harvest, ernten yield, cultivos crop, koeien cow, parcelles field',
  hotels: 'boekingen booking, ubernachtungen night, habitaciones room, storniert cancelled, gaste guest',
  restaurants: 'gerichte dish, plats dish, bebidas drink, fooien tip, tafels table',
  events: 'veranstaltungen event, conciertos concert, zalen venue, teilnehmer attendee',
  'real estate': 'mieter tenant, huur rent, inmuebles property, makelaars broker, leegstand vacancy',
  construction: 'baustellen project, aannemers contractor, obras project, chantiers site',
  permits: 'vergunningen permit, genehmigt approved, solicitudes application, demandeurs applicant',
  police: 'straftaten crime, delitos crime, aanhoudingen arrest, victimes victim',
  'fire brigades': 'branden fire, einsatze incident, bomberos firefighter, casernes station',
  'IT operations': 'servidores server, fehler error, deploiements deployment, gravedad severity, meldungen alert',
  software: 'kundigungen churn, abonnees subscriber, suscripciones subscription, utilisateurs user, essai trial',
  marketing: 'campagnes campaign, werbung ad, canaux channel, suscriptores subscriber',
  'web analytics': 'sitzungen session, klikken click, visitas visit, navigateurs browser, paginas page',
  'social media': 'beitrage post, volgers follower, seguidores follower, portee reach',
  streaming: 'angesehen watched, kijkers viewer, peliculas movie, afleveringen episode, canciones song',
  games: 'spieler player, niveaus level, aankopen purchase, jeux game',
  cars: 'fahrzeuge vehicle, wagens car, kilometrage mileage, talleres workshop, kenteken plate',
  fleets: 'chauffeurs driver, conductores driver, brandstof fuel, wartung maintenance',
  travel: 'reizen trip, viajes trip, reiseziele destination, touristes tourist',
  waste: 'afval waste, abfalle waste, recolte harvest, recyclage recycling, ophaling collection',
  environment:
    'uitstoot emission, emisiones emission, messungen measurement, capteurs sensor, niederschlag precipitation',
};

describe.each(Object.entries(businesses))('in questions on %s', (_, pairs) => {
  test.each(pairs.split(', ').map((pair) => pair.split(' ')))('"%s" means "%s"', (asked = '', name = '') => {
    const parts = [asked, ...compoundParts(asked).map(({ text }) => text)];
    expect(parts.some((part) => areSynonyms(part, name))).toBe(true);
  });
});

describe('concepts', () => {
  test('have words of English, Dutch, French, German and Spanish, in lower case and without accents', () => {
    const faults = conceptLines.filter(
      (line) => line.split('|').length > 1 && (line.split('|').length !== 5 || line !== fold(line)),
    );
    expect(faults).toEqual([]);
  });

  test('name a word once in a language', () => {
    const faults = conceptLines.flatMap((line) =>
      line.split('|').flatMap((words) => {
        const list = words.trim().split(' ');
        return list.filter((word, at) => list.indexOf(word) !== at);
      }),
    );
    expect(faults).toEqual([]);
  });

  test.each([
    ['fall', 'case'],
    ['bar', 'cash'],
    ['location', 'rental'],
    ['course', 'trip'],
    ['charge', 'batch'],
    ['sale', 'hall'],
    ['art', 'category'],
    ['tier', 'animal'],
    ['van', 'truck'],
    ['los', 'batch'],
    ['die', 'death'],
    ['rain', 'precipitation'],
  ])(
    'leave out "%s" as a word for "%s", since it means something else in another language or as a value',
    (word, other) => {
      expect(areSynonyms(word, other)).toBe(false);
    },
  );

  test.each([
    ['companies', 'company'],
    ['bookings', 'reservation'],
    ['collect', 'collection'],
    ['branches', 'store'],
    ['kunden', 'customer'],
    ['ritten', 'trip'],
    ['clientes', 'customer'],
    ['lapices', null],
    ['journaux', null],
    ['voitures', 'vehicle'],
    ['medicas', 'doctor'],
  ])('know the inflected form "%s"', (form, meaning) => {
    expect(englishSynonymsOf(form).includes(meaning ?? '')).toBe(meaning !== null);
  });
});
