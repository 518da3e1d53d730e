const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that say nothing about a column. */
export const stopWords = set(
  'a an the of and or for in on at by to from with as is are was were be been do does did has have had what which who ' +
    'whose how that this these those there their them they it its all any each every per me my i you we us our please ' +
    'show give list find display return tell draw plot visualize create make want would like can could see get using use ' +
    'into than then also about across over between versus vs against both only just now not no many much so if when ' +
    'where chart graph plots diagram bar different distinct various respective corresponding ones one some along together ' +
    'well information result results record records data let out up more most least go happened many',
);

/** Words that say what to do with a column. They are not matched with column names as misspelt or abbreviated words. */
export const cueWords = set(
  'count counts number numbers average mean total sum minimum minimal maximum maximal min max each every sort order rank ' +
    'ascending descending high low top bottom trend line scatter compare comparison distribution proportion group grouped bin ' +
    'first last axis names name more most least median growth change',
);

/** Words in column names that hardly distinguish columns, with their weights: `customer_name` is close to `name`. */
export const faintWords: ReadonlyMap<string, number> = new Map([
  ...[...set('id ids code codes key no num nr text label s value f pct')].map((word) => [word, 0.4] as const),
  ...[...set('name names number date time details title')].map((word) => [word, 0.55] as const),
  ...[...set('type types amount total')].map((word) => [word, 0.8] as const),
  // Units only say how a number is written.
  ...[
    ...set(
      'mm cm m km kg g lb lbs oz mph kmh kph knots c celsius fahrenheit usd eur gbp dollar dollars euro euros inch inches ft feet ' +
        'mile miles sec secs seconds ms mins degrees litres liters tons tonnes hectares acres mb gb kwh',
    ),
  ].map((word) => [word, 0.3] as const),
]);

const unitSpellings =
  'km kms kilometre kilometres kilometer kilometers kilometern kilometros|kwh|kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos|' +
  't ton tons tonne tonnes tonnen toneladas|l litre litres liter liters litern litros|ha hectare hectares hektar hectareas|m2 sqm|' +
  'h hr hrs hour hours stunden heures horas uren|min mins minute minutes minuten minutos|s sec secs second seconds sekunden secondes seconden segundos|' +
  'day days tagen|night nights nacht nachte nachten nuits noches|mile miles meilen';

/** Words for units in the languages of questions, by the unit that they write. */
export const unitWords: ReadonlyMap<string, string> = new Map(
  unitSpellings.split('|').flatMap((spellings) => {
    const words = spellings.split(' ');
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);

/** Abbreviations that are common in column names, with the complete words. */
export const shortForms: Readonly<Record<string, string>> = {
  acc: 'account',
  acct: 'account',
  addr: 'address',
  amt: 'amount',
  apt: 'apartment',
  attr: 'attribute',
  avg: 'average',
  bal: 'balance',
  cat: 'category',
  cnt: 'count',
  cred: 'credits',
  ctry: 'country',
  curr: 'currency',
  cust: 'customer',
  dept: 'department',
  desc: 'description',
  dest: 'destination',
  dist: 'distance',
  dob: 'birth date',
  dt: 'date',
  emp: 'employee',
  fname: 'first name',
  hrs: 'hours',
  ht: 'height',
  inv: 'invoice',
  lat: 'latitude',
  lname: 'last name',
  lng: 'longitude',
  loc: 'location',
  lon: 'longitude',
  long: 'longitude',
  max: 'maximum',
  mfg: 'manufacturer',
  mgr: 'manager',
  min: 'minimum',
  mth: 'month',
  nbr: 'number',
  num: 'number',
  ord: 'order',
  org: 'organization',
  pct: 'percent',
  pos: 'position',
  prod: 'product',
  prof: 'professor',
  pts: 'points',
  qty: 'quantity',
  ref: 'reference',
  sal: 'salary',
  stu: 'student',
  tel: 'phone',
  temp: 'temperature',
  tot: 'total',
  txn: 'transaction',
  univ: 'university',
  wt: 'weight',
  yr: 'year',
};

/**
 * Groups of synonyms: stems and complete words, in English before the bar and in the other languages of questions
 * after it, in lower case and without accents. Words that mean something else in another language are left out.
 */
const synonymGroups: readonly string[] = [
  'revenue sales turnover income takings amount spend spent basket | omzet opbrengst opbrengsten verkoop verkopen umsatz umsatze erlos erlose ' +
    'einnahmen affaires recette recettes ventes revenu revenus ventas facturacion ingreso ingresos winkelmand winkelmandje panier warenkorb carrito',
  'amount value sum total | bedrag bedragen waarde montant valeur betrag wert importe monto valor',
  'price cost fee charge fare rent | prijs tarief huur prix tarif loyer preis miete gebuhr precio tarifa alquiler',
  'cost expense spend spending expenditure | kost kosten uitgave uitgaven depense depenses cout couts aufwand ausgabe ausgaben gasto gastos coste costes costo costos',
  'profit margin earnings gain | winst marge benefice benefices gewinn ertrag beneficio beneficios ganancia ganancias margen',
  'salary wage pay payment compensation earn earning | salaris loon lonen salaire gehalt lohn lohne salario sueldo',
  'customer client buyer shopper | klant klanten afnemer acheteur kunde kunden kaufer cliente clientes comprador',
  'employee staff worker personnel | medewerker medewerkers werknemer werknemers personeel employe employes salaries mitarbeiter mitarbeitende beschaftigte ' +
    'personal empleado empleados trabajador trabajadores',
  'product item article good sku | artikel artikelen artikels produit produits produkt produkte ware waren producto productos articulo articulos',
  'country nation nationality | land landen lander pays pais paises',
  'city town | stad steden gemeente ville villes commune stadt stadte ort ciudad ciudades municipio',
  'state province | provincie bundesland provincia estado',
  'region area territory zone | regio gebied streek gebiet zona comarca',
  'area surface | oppervlakte superficie surface flache',
  'gender sex | geslacht sexe geschlecht sexo genero',
  'job occupation profession title | functie beroep poste metier emploi beruf stelle puesto cargo profesion',
  'category type kind class group | soort categorie genre kategorie sorte typ categoria tipo clase',
  'quantity units volume count | hoeveelheid stuks quantite menge stuck stuckzahl cantidad unidades',
  'department division | afdeling afdelingen departement abteilung abteilungen bereich departamento seccion',
  'ward department | afdeling afdelingen station',
  'store shop outlet branch | winkel winkels vestiging filiaal filialen magasin magasins boutique boutiques succursale laden geschaft filiale tienda tiendas sucursal sucursales',
  'warehouse depot | magazijn entrepot lager lagerhaus almacen almacenes deposito',
  'vendor supplier | leverancier leveranciers fournisseur fournisseurs lieferant lieferanten proveedor proveedores',
  'company firm business organization | bedrijf bedrijven onderneming entreprise entreprises societe firma unternehmen empresa empresas',
  'movie film | pelicula',
  'teacher instructor professor | leraar leerkracht docent docenten enseignant enseignants professeur lehrer lehrkraft profesor profesores docente',
  'student pupil | leerling leerlingen studenten etudiant etudiants eleve eleves schuler studierende alumno alumnos estudiante estudiantes',
  'course programme program subject | vak vakken opleiding richting cours filiere filieres matiere fach facher studiengang kurs asignatura curso carrera',
  'car vehicle automobile | auto wagen voertuig voertuigen voiture vehicule vehicules fahrzeug fahrzeuge coche vehiculo vehiculos',
  'airplane aircraft plane | vliegtuig avion flugzeug',
  'score rating grade mark points | beoordeling cijfer bewertung puntuacion valoracion',
  'date day time | datum fecha',
  'year annual season',
  'phone telephone mobile | telefoon telefon telefono',
  'email mail',
  'manager head leader boss',
  'stock inventory | voorraad bestand existencias inventario',
  'discount rebate | korting remise rabais rabatt descuento',
  'duration length time | duur duree dauer duracion',
  'begin start from',
  'end finish to',
  'open opening founded',
  'birth birthday born',
  'population residents inhabitants people | inwoners habitants einwohner habitantes poblacion',
  'enrollment enrolled students enrolment | inschrijving inschrijvingen inscription inscriptions einschreibung einschreibungen anmeldungen matricula matriculas',
  'distance mileage | afstand entfernung strecke distancia',
  'rank ranking position',
  'height tall',
  'weight heavy | gewicht poids peso',
  'age old | leeftijd alter edad',
  'channel source medium | kanaal kanal canal fuente',
  'status state',
  'segment group',
  'id identifier',
  'method way | wijze methode maniere mode art weise forma metodo',
  'payment paid | betaling betaal paiement zahlung zahlungen pago pagos',
  'location place site office | locatie vestiging lieu emplacement standort standorte lugar ubicacion oficina oficinas kantoor kantoren bureau bureaux',
  'description details',
  'director directed',
  'capacity size',
  'language tongue | taal talen langue langues sprache sprachen idioma idiomas',
  'major subject',
  'mean average',
  'order purchase | bestelling bestellingen order orders commande commandes achat achats bestellung bestellungen auftrag auftrage pedido pedidos compra compras',
  'booking reservation | boeking boekingen reservering reserveringen reservations buchung buchungen reservierung reserva reservas',
  'invoice bill | factuur facturen facture factures rechnung rechnungen factura facturas',
  'delivery shipment shipping ship | levering leveringen verzending zending livraison livraisons expedition lieferung lieferungen versand entrega entregas envio envios',
  'carrier shipper | vervoerder vervoerders transporteur transporteurs spediteur transportista transportistas',
  'visit visitor | bezoek bezoeken bezoeker bezoekers visite visites visiteur visiteurs besuch besuche besucher visita visitas visitante visitantes',
  'admission | opname opnames opnamen hospitalisation hospitalisations aufnahme aufnahmen ingreso ingresos admision admisiones',
  'absence absent | verzuim afwezigheid afwezig absence absences abwesenheit fehlzeit fehltage ausencia ausencias baja bajas',
  'hire hired | aanwerving aanwervingen indienst embauche embauches recrutement einstellung einstellungen contratacion contrataciones',
  'night stay | nacht nachten overnachting overnachtingen nuit nuits nuitee nuitees nacht nachte ubernachtung ubernachtungen noche noches pernoctacion pernoctaciones',
  'room | kamer kamers chambre chambres zimmer habitacion habitaciones cuarto',
  'guest | gast gasten hote hotes gaste huesped huespedes',
  'owner proprietor | eigenaar eigenaars proprietaire eigentumer inhaber besitzer propietario duenos dueno',
  'farm | boerderij boerderijen ferme fermes bauernhof hof finca fincas granja granjas',
  'barn stable | stal stallen etable etables stall stalle establo establos cuadra',
  'crop | gewas gewassen culture cultures frucht kultur kulturen cultivo cultivos',
  'harvest yield | oogst oogsten recolte recoltes rendement ernte ertrag cosecha cosechas rendimiento',
  'output production produced | opbrengst productie production erzeugung produktion leistung produccion',
  'consumption usage | verbruik consommation verbrauch consumo',
  'target goal quota budget plan | doel doelstelling objectif objectifs ziel zielwert soll objetivo objetivos meta',
  'complaint ticket issue | klacht klachten melding meldingen reclamation plainte beschwerde beschwerden reklamation queja quejas reclamacion',
  'doctor physician | arts artsen dokter medecin medecins docteur arzt arzte medico medicos',
  'patient | patienten pacientes paciente',
  'fee | honorarium honoraire honoraires honorar honorarios',
  'ticket admission | kaartje kaartjes billet billets karte eintritt entrada entradas',
  'cancelled canceled cancellation | geannuleerd geannuleerde annule annules annulee annulees storniert stornierte storno cancelado cancelados cancelada canceladas anulado',
  'returned return | geretourneerd geretourneerde retour retours retourne zuruckgegeben retoure retouren devuelto devueltos devolucion devoluciones',
  'late delayed delay | laat vertraagd vertraagde vertraging retard retards tardif verspatet verspatete verspatung tarde retrasado retraso retrasos',
  'paid settled | betaald betaalde paye payee payes bezahlt bezahlte pagado pagada pagados',
  'passed pass success | geslaagd geslaagde slaag reussi reussite bestanden bestandene aprobado aprobados',
  'waiting wait | wachten wacht attente warten warte espera',
  'device equipment appliance | toestel toestellen apparaat appareil appareils gerat gerate dispositivo aparato',
  'satisfaction happiness happy | tevredenheid zufriedenheit satisfaccion',
  'workshop garage | werkplaats atelier werkstatt taller',
  'driver | chauffeur chauffeurs bestuurder conducteur conducteurs fahrer conductor conductores',
  'trip journey ride | rit ritten reis trajet trajets voyage fahrt fahrten viaje viajes trayecto',
  'organic | bio biologisch biologische biologique biologiques okologisch organico ecologico ecologica',
  'fuel | brandstof carburant kraftstoff treibstoff combustible',
];

/** For each word, its synonyms. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const map = new Map<string, Set<string>>();
  for (const group of synonymGroups) {
    const words = group.split(' ').filter((word) => word !== '|');
    for (const word of words) {
      const synonymsOf = map.get(word) ?? new Set<string>();
      for (const other of words) if (other !== word) synonymsOf.add(other);
      map.set(word, synonymsOf);
    }
  }
  return map;
})();

/** Patterns of values and phrases that refer to a column by its topic. */
export const pointers: readonly { readonly pattern: RegExp; readonly means: string }[] = [
  {
    pattern: /\b(?:male and female|female and male|men and women|boys and girls|males and females)\b/gu,
    means: 'gender',
  },
  { pattern: /\bhow old\b/gu, means: 'age' },
  { pattern: /\b(?:youngest|oldest|older|younger)\b/gu, means: 'age' },
  { pattern: /\b(?:how much|costs?|cheapest|most expensive|least expensive)\b/gu, means: 'price' },
  { pattern: /\b(?:how long|longest|shortest)\b/gu, means: 'duration' },
  { pattern: /\b(?:tallest|how tall)\b/gu, means: 'height' },
  { pattern: /\b(?:how far|farthest|furthest)\b/gu, means: 'distance' },
  { pattern: /\b(?:heaviest|lightest|how heavy)\b/gu, means: 'weight' },
  { pattern: /\b(?:hottest|warmest|coldest|coolest|how hot|how cold)\b/gu, means: 'temperature' },
  { pattern: /\b(?:fastest|slowest|how fast)\b/gu, means: 'speed' },
  { pattern: /\b(?:richest|poorest)\b/gu, means: 'income' },
];
