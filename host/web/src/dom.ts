/** Creates elements. */

import { grouped } from './render/amount.ts';

type Child = Node | string | number | false | null | undefined;
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/**
 * Creates an element with attributes and children. `on…` attributes are listeners. The value true makes an attribute
 * without a value; false, null and undefined make no attribute.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  append(element, children);
  return element;
}

/** Replaces all children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** The element with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`the page has no #${id}`);
  }
  return found as T;
}

/** Creates an icon from the page's sprite. */
export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}

/** `1 error`, `2 errors`. */
export function count(number: number, what: string): string {
  return `${grouped(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** The text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== false && child !== null && child !== undefined) {
      element.append(child instanceof Node ? child : visible(String(child)));
    }
  }
}

/** Characters that change the direction of the text around them. */
const REVERSING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text that shows characters which would reverse it as what they are: `⟨U+202E⟩`. Texts of objects may have any. */
export function visible(text: string): string {
  return text.replace(REVERSING, (it) => `⟨U+${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
