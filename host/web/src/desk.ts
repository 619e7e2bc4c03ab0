/** The texts as a whole: where each came from, and how they are replaced so that nothing is lost that somebody wrote. */

import { TEXT_NAMES, type TextName, type Texts } from './editor/texts.ts';
import type { Opened } from './files.ts';

/** Texts by name. */
export type Content = Partial<Record<TextName, string>>;

/** The file that a text is saved to. */
export type TextFile = Pick<Opened, 'name' | 'handle'>;

export class Desk {
  readonly #texts: () => Texts;
  #files = new Map<TextName, TextFile>();
  /** The texts as an example, a file or a link brought them. Nothing is lost when these are replaced. */
  #brought = new Map<TextName, string>();

  constructor(texts: () => Texts) {
    this.#texts = texts;
  }

  /** The texts that are not empty. */
  get filled(): Content {
    const all = TEXT_NAMES.map((name) => [name, this.#texts().text(name)] as const);
    return Object.fromEntries(all.filter(([, content]) => content !== ''));
  }

  fileOf(name: TextName): TextFile | undefined {
    return this.#files.get(name);
  }

  setFile(name: TextName, file: TextFile): void {
    this.#files.set(name, file);
  }

  /** Replaces texts by what came from elsewhere. The new ones are not saved to the files of the old ones. */
  replace(content: Content): void {
    const texts = this.#texts();
    for (const name of TEXT_NAMES) {
      const text = content[name];
      if (text !== undefined) {
        if (text !== texts.text(name)) {
          texts.replace(name, text);
        }
        this.#files.delete(name);
        this.#brought.set(name, texts.text(name));
      }
    }
  }

  /** Whether something that somebody wrote goes when texts are replaced. */
  wouldLose(content: Content): boolean {
    return TEXT_NAMES.some((name) => {
      const text = this.#texts().text(name);
      const isOwn = text !== '' && text !== this.#brought.get(name);
      return isOwn && content[name] !== undefined && content[name] !== text;
    });
  }

  /** Somebody wrote the texts, wherever they came from. */
  claim(): void {
    this.#brought.clear();
  }

  /** Notes where the texts came from. Returns what to call when they are there again. */
  note(): () => void {
    const [files, brought] = [new Map(this.#files), new Map(this.#brought)];
    return () => {
      this.#files = files;
      this.#brought = brought;
    };
  }
}
