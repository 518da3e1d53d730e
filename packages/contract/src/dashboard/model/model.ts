import type { Json } from '../../json.ts';
import { JsonText, type JsonPath } from './json-text.ts';
import { partsOfContents, pathText, withInner, type Part } from './part.ts';

/** Kinds of parts whose ids editors write; views and slots are named by what they are. */
const withWrittenIds: readonly Part['kind'][] = ['item', 'entry', 'group', 'filter'];

/**
 * Contents of a dashboard as parts with addresses. Nothing is lost: what a change does not concern stays as written, unknown
 * members, their order and the digits of numbers included.
 */
export class DashboardModel {
  readonly #json: JsonText;
  /** The views, and in each its parts. */
  readonly views: readonly Part[];
  readonly #all: readonly Part[];
  readonly #byAddress: ReadonlyMap<string, Part>;

  private constructor(json: JsonText) {
    this.#json = json;
    this.views = partsOfContents(json.value);
    this.#all = this.views.flatMap(withInner);
    this.#byAddress = new Map(
      this.#all.flatMap((part) => [[part.address, part] as const, [pathText(part.path), part] as const]),
    );
  }

  /** Reads the text of contents. Raises SyntaxError if it is not JSON. */
  static read(text: string): DashboardModel {
    return new DashboardModel(JsonText.read(text));
  }

  get text(): string {
    return this.#json.text;
  }

  get contents(): Json {
    return this.#json.value;
  }

  /** The part at an address such as `view:desktop/item:sales`, or at a place such as `views[0].items[2]`; null if there is none. */
  find(address: string): Part | null {
    return this.#byAddress.get(address) ?? null;
  }

  /** The same contents with a value inside a part. Raises RangeError if the part has no such place. */
  with(part: Part, inside: JsonPath, value: Json): DashboardModel {
    return new DashboardModel(this.#json.with([[[...part.path, ...inside], value]]));
  }

  /** The same contents with the derived ids written, so that parts keep their addresses when they change. */
  withIds(): DashboardModel {
    const missing = this.#all.filter(({ kind, isDerived }) => isDerived && withWrittenIds.includes(kind));
    return new DashboardModel(this.#json.with(missing.map(({ path, id }) => [[...path, 'id'], id])));
  }
}
