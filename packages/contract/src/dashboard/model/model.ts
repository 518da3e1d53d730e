import type { Json } from '../../json.ts';
import { JsonText, type JsonPath } from './json-text.ts';
import { contentsPart, pathText, withInner, type Part } from './part.ts';

/** Kinds of parts whose derived ids can be stored. The ids of views and slots are their names. */
const withWrittenIds: readonly Part['kind'][] = ['item', 'entry', 'group', 'filter'];

/**
 * The contents of a dashboard as parts that have addresses. A change of one part preserves everything else, including
 * unknown members, the order of members and the digits of numbers.
 */
export class DashboardModel {
  readonly json: JsonText;
  /** The contents as a part, whose address is empty. */
  readonly root: Part;
  readonly #all: readonly Part[];
  readonly #byAddress: ReadonlyMap<string, Part>;

  private constructor(json: JsonText) {
    this.json = json;
    this.root = contentsPart(json.value);
    this.#all = withInner(this.root);
    this.#byAddress = new Map(
      this.#all.flatMap((part) => [[part.address, part] as const, [pathText(part.path), part] as const]),
    );
  }

  /** Parses the text of contents. Raises SyntaxError if the text is not JSON. */
  static read(text: string): DashboardModel {
    return new DashboardModel(JsonText.read(text));
  }

  /** Returns the model of a text that has been parsed. */
  static of(json: JsonText): DashboardModel {
    return new DashboardModel(json);
  }

  /** The views, with their parts. */
  get views(): readonly Part[] {
    return this.root.parts;
  }

  get text(): string {
    return this.json.text;
  }

  get contents(): Json {
    return this.json.value;
  }

  /**
   * Returns the part at an address such as `view:desktop/item:sales`, or at a path such as `views[0].items[2]`; null if
   * there is no such part.
   */
  find(address: string): Part | null {
    return this.#byAddress.get(address) ?? null;
  }

  /** Returns the part at a path, such as `['views', 0]`; null if there is none. */
  partAt(path: JsonPath): Part | null {
    return this.find(pathText(path));
  }

  /** Returns a copy with a value replaced inside a part. Raises RangeError if the part has no such path. */
  with(part: Part, innerPath: JsonPath, value: Json): DashboardModel {
    return new DashboardModel(this.json.with([[[...part.path, ...innerPath], value]]));
  }

  /**
   * Returns a copy in which the derived ids of some kinds of parts are stored, so that these parts keep their addresses
   * when they change.
   */
  withIds(kinds: readonly Part['kind'][] = withWrittenIds): DashboardModel {
    const partsWithoutId = this.#all.filter(({ kind, isDerived }) => isDerived && kinds.includes(kind));
    return new DashboardModel(this.json.with(partsWithoutId.map(({ path, id }) => [[...path, 'id'], id])));
  }
}
