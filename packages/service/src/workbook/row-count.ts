const lessThan = 0x3c;
const greaterThan = 0x3e;
const slash = 0x2f;
const colon = 0x3a;
const space = 0x20;
const question = 0x3f;
const dash = 0x2d;
const bracket = 0x5d;

/** A kind of XML section in which tags have no meaning, such as a comment. */
interface Section {
  /** The byte before the closing `>`, and how many times it occurs there in a row. */
  readonly mark: number;
  readonly marks: number;
  readonly isText: boolean;
}

/** Kinds of sections, by the text that opens a section. */
const sections: ReadonlyMap<string, Section> = new Map([
  ['!--', { mark: dash, marks: 2, isText: false }],
  ['![CDATA[', { mark: bracket, marks: 2, isText: true }],
  ['?', { mark: question, marks: 1, isText: false }],
]);

/** Maximum length of a tag name that is compared. Longer names have no meaning here. */
const maxNameLength = 16;

/**
 * Counts the rows of a sheet that have a value, by scanning the bytes for tags. It verifies the row count of the
 * reader, so it shares no code with it. Works for every encoding that is a superset of ASCII.
 */
export class RowCounter {
  rows = 0;
  #state: 'text' | 'name' | 'tag' | 'section' = 'text';
  #name = '';
  #isClosing = false;
  #hasValue = false;
  #isValueOpen = false;
  /** The previous byte within the current tag. */
  #last = 0;
  #section: Section = { mark: 0, marks: 0, isText: false };
  #sectionBytes = 0;
  /** Number of consecutive `mark` bytes directly before the current byte. */
  #marks = 0;

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#state === 'text') {
        if (byte === lessThan) this.#beginTag();
        else if (this.#isValueOpen) {
          this.#hasValue = true;
          this.#isValueOpen = false;
        }
      } else if (this.#state === 'name') this.#takeName(byte);
      else if (this.#state === 'section') this.#takeSection(byte);
      else {
        if (byte === greaterThan) this.#endTag();
        this.#last = byte;
      }
    }
  }

  #beginTag(): void {
    this.#state = 'name';
    this.#name = '';
    this.#isClosing = false;
  }

  #takeName(byte: number): void {
    if (byte === slash && this.#name === '') this.#isClosing = true;
    else if (byte === colon) this.#name = '';
    else if (byte === greaterThan) this.#endTag();
    else if (byte === slash || byte <= space) this.#state = 'tag';
    else if (this.#name.length < maxNameLength) {
      this.#name += String.fromCharCode(byte);
      const section = sections.get(this.#name);
      if (section !== undefined) this.#beginSection(section);
    }
    this.#last = byte;
  }

  #beginSection(section: Section): void {
    this.#state = 'section';
    this.#section = section;
    this.#sectionBytes = 0;
    this.#marks = 0;
  }

  #takeSection(byte: number): void {
    const { mark, marks, isText } = this.#section;
    if (byte === greaterThan && this.#marks >= marks) {
      this.#state = 'text';
      // An empty section has no text: its bytes are only the closing marks.
      if (!isText || !this.#isValueOpen || this.#sectionBytes === marks) return;
      this.#hasValue = true;
      this.#isValueOpen = false;
      return;
    }
    this.#sectionBytes += 1;
    this.#marks = byte === mark ? this.#marks + 1 : 0;
  }

  #endTag(): void {
    this.#state = 'text';
    this.#isValueOpen = false;
    if (this.#isClosing) {
      if (this.#name === 'row' && this.#hasValue) this.rows += 1;
      return;
    }
    if (this.#name === 'row') this.#hasValue = false;
    // An empty string counts as a value, an empty number does not.
    if (this.#name === 't') this.#hasValue = true;
    if (this.#name === 'v') this.#isValueOpen = this.#last !== slash;
  }
}
