/** The YAML grammar of the texts. */

import { yamlLanguage } from '@codemirror/lang-yaml';
import { LanguageSupport } from '@codemirror/language';
import { NodeType, type PartialParse, Tree } from '@lezer/common';

/** YAML, whatever the text: one that is nested too deep for the parser is not coloured, and its edits are not lost. */
export const grammar = new LanguageSupport(
  yamlLanguage.configure({ wrap: (parse, input) => new Shallow(parse, input.length) }),
);

/** A parse that gives an empty tree where a text has more levels than the stack, which the parser itself does not limit. */
class Shallow implements PartialParse {
  readonly #parse: PartialParse;
  readonly #length: number;

  constructor(parse: PartialParse, length: number) {
    this.#parse = parse;
    this.#length = length;
  }

  get parsedPos(): number {
    return this.#parse.parsedPos;
  }

  get stoppedAt(): number | null {
    return this.#parse.stoppedAt;
  }

  stopAt(position: number): void {
    this.#parse.stopAt(position);
  }

  advance(): Tree | null {
    try {
      return this.#parse.advance();
    } catch (error) {
      if (error instanceof RangeError) {
        return new Tree(NodeType.none, [], [], this.stoppedAt ?? this.#length);
      }
      throw error;
    }
  }
}
