import { textsIn } from '../words/words.ts';

const names = [
  ...(['click', 'filters', 'address', 'dashboard', 'addressField', 'insert', 'opens', 'newTab', 'inPlace'] as const),
  ...([
    'wrongAddress',
    'dashboardField',
    'told',
    'finest',
    'anyLevel',
    'actions',
    'actionsHelp',
    'actionName',
  ] as const),
  ...(['actionId', 'addAction', 'removeAction', 'newAction', 'nothing'] as const),
] as const;

/** Texts of the panel of actions. `{name}` is a placeholder. */
export type ActionWords = Readonly<Record<(typeof names)[number], string>>;

/** Per language: the texts in the order of their names, separated by `|`. */
const lines: Readonly<Record<string, string>> & { readonly en: string } = {
  en: 'A click|Filters other items|Opens an address|Tells the page which dashboard to show|Address|Insert a value …|Opens|In a new tab|In place of the page|An address begins with https:, http: or mailto:, or is within the page; values stand in its path, query or fragment.|Dashboard|The page is told with the values of what was clicked.|Finest level of {name} that viewers open|As fine as there is|Entries of the menu|The page is told when somebody chooses one.|Name in the menu|Name for the page|Add an entry|Remove {name}|New entry|Nothing happens on a click here.',
  nl: 'Een klik|Filtert andere items|Opent een adres|Zegt de pagina welk dashboard te tonen|Adres|Waarde invoegen …|Opent|In een nieuw tabblad|In plaats van de pagina|Een adres begint met https:, http: of mailto:, of ligt binnen de pagina; waarden staan in pad, query of fragment.|Dashboard|De pagina krijgt de waarden van wat is aangeklikt.|Fijnste niveau van {name} dat kijkers openen|Zo fijn als er is|Regels van het menu|De pagina krijgt bericht als iemand er een kiest.|Naam in het menu|Naam voor de pagina|Regel toevoegen|{name} verwijderen|Nieuwe regel|Een klik doet hier niets.',
  fr: 'Un clic|Filtre les autres éléments|Ouvre une adresse|Indique à la page quel tableau de bord afficher|Adresse|Insérer une valeur …|Ouvre|Dans un nouvel onglet|À la place de la page|Une adresse commence par https:, http: ou mailto:, ou se trouve dans la page ; les valeurs figurent dans son chemin, sa requête ou son fragment.|Tableau de bord|La page reçoit les valeurs de ce qui a été cliqué.|Niveau le plus fin de {name} que l’on ouvre|Aussi fin que possible|Entrées du menu|La page est avertie quand quelqu’un en choisit une.|Nom dans le menu|Nom pour la page|Ajouter une entrée|Supprimer {name}|Nouvelle entrée|Un clic ne fait rien ici.',
  de: 'Ein Klick|Filtert andere Elemente|Öffnet eine Adresse|Sagt der Seite, welches Dashboard sie zeigen soll|Adresse|Wert einfügen …|Öffnet|In einem neuen Tab|Anstelle der Seite|Eine Adresse beginnt mit https:, http: oder mailto: oder liegt auf der Seite; Werte stehen in Pfad, Abfrage oder Fragment.|Dashboard|Die Seite erfährt die Werte dessen, was angeklickt wurde.|Feinste Ebene von {name}, die Betrachter öffnen|So fein wie vorhanden|Einträge des Menüs|Die Seite erfährt, wenn jemand einen wählt.|Name im Menü|Name für die Seite|Eintrag hinzufügen|{name} entfernen|Neuer Eintrag|Ein Klick bewirkt hier nichts.',
  es: 'Un clic|Filtra otros elementos|Abre una dirección|Indica a la página qué panel mostrar|Dirección|Insertar un valor …|Se abre|En una pestaña nueva|En lugar de la página|Una dirección empieza por https:, http: o mailto:, o está en la página; los valores van en su ruta, consulta o fragmento.|Panel|La página recibe los valores de lo que se pulsó.|Nivel más fino de {name} que se abre|Tan fino como haya|Entradas del menú|La página recibe un aviso cuando alguien elige una.|Nombre en el menú|Nombre para la página|Añadir una entrada|Quitar {name}|Entrada nueva|Aquí un clic no hace nada.',
  ar: 'النقر|يرشّح عناصر أخرى|يفتح عنوانًا|يخبر الصفحة بلوحة المعلومات المطلوب عرضها|العنوان|إدراج قيمة …|يُفتح|في علامة تبويب جديدة|مكان الصفحة|يبدأ العنوان بـ https: أو http: أو mailto: أو يكون داخل الصفحة؛ وتقع القيم في المسار أو الاستعلام أو الجزء.|لوحة المعلومات|تتلقى الصفحة قيم ما تم النقر عليه.|أدق مستوى يفتحه المشاهدون من {name}|أدق ما يوجد|مدخلات القائمة|تُخبَر الصفحة عندما يختار أحد مدخلًا.|الاسم في القائمة|الاسم للصفحة|إضافة مدخل|إزالة {name}|مدخل جديد|لا يفعل النقر شيئًا هنا.',
};

/** Languages with translations. */
export const actionLanguages: readonly string[] = Object.keys(lines);

const areWords = (object: object): object is ActionWords => names.every((name) => Object.hasOwn(object, name));

/** Returns the texts for a locale; English if there is no translation. */
export function actionWordsFor(locale: string): ActionWords {
  const texts = textsIn(lines, locale).split('|');
  const words = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
  if (texts.length !== names.length || !areWords(words)) throw new Error('a text is missing');
  return words;
}
