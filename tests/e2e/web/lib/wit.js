/**
 * The types of the contract, read from `wit/`, and conversions of their values between two forms: the JSON that serde
 * writes for the types of wit-bindgen (the native answers), and the JavaScript values of jco.
 *
 * |                    | serde                        | jco                          |
 * |--------------------|------------------------------|------------------------------|
 * | field `api-version`| `api_version`                | `apiVersion`                 |
 * | option, none       | `null`                       | `undefined`                  |
 * | enum `not-ready`   | `"NotReady"`                 | `'not-ready'`                |
 * | variant            | `"Remove"`, `{"Rename": "x"}`| `{tag: 'remove', val: …}`    |
 * | result             | `{"Ok": …}`, `{"Err": …}`    | `{tag: 'ok', val: …}`        |
 * | s64, u64           | a number                     | a BigInt                     |
 * | list<u8>           | an array of numbers          | a Uint8Array                 |
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads every interface: types by name (a name is unique in the package), functions by `interface.function`. */
export async function contract(folder) {
  const types = new Map();
  const functions = new Map();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.wit') && name !== 'world.wit')) {
    const text = (await readFile(join(folder, file), 'utf8')).replace(/\/\/.*$/gm, '');
    for (const [, name, body] of text.matchAll(/^interface ([\w-]+) \{([\s\S]*?)^\}/gm)) {
      readInterface(name, body, types, functions);
    }
  }
  return { types, functions };
}

function readInterface(name, body, types, functions) {
  const scope = new Map(); // what a name means in this interface
  types.set(name, scope);
  for (const [, from, names] of body.matchAll(/\buse ([\w-]+)\.\{([^}]*)\};/g)) {
    for (const used of list(names)) {
      scope.set(used, { use: from });
    }
  }
  for (const [, kind, type, items] of body.matchAll(/\b(record|enum|variant) ([\w-]+) \{([^}]*)\}/g)) {
    scope.set(type, { kind, items: list(items).map((item) => member(kind, item)) });
  }
  for (const [, type, aliased] of body.matchAll(/\btype ([\w-]+) = ([^;]+);/g)) {
    scope.set(type, { kind: 'alias', type: aliased.trim() });
  }
  for (const [, called, parameters, result] of body.matchAll(/^\s*([\w-]+): func\(([^)]*)\) -> ([^;]+);/gm)) {
    const types = list(parameters).map((parameter) => parameter.replace(/^[\w-]+:\s*/, ''));
    functions.set(`${name}.${called}`, { interface: name, parameters: types, result: result.trim() });
  }
}

/** A field with its type, or a case with the type of its value. */
function member(kind, item) {
  const [, name, type] = (kind === 'record' ? /^([\w-]+):\s*(.+)$/s : /^([\w-]+)(?:\((.+)\))?$/s).exec(item);
  return { name, type: type?.trim() };
}

/** The items of a text between commas outside of brackets. */
function list(text) {
  const items = [''];
  let depth = 0;
  for (const character of text) {
    depth += { '<': 1, '(': 1, '>': -1, ')': -1 }[character] ?? 0;
    if (character === ',' && depth === 0) {
      items.push('');
    } else {
      items[items.length - 1] += character;
    }
  }
  return items.map((item) => item.trim()).filter(Boolean);
}

/** Converts a value from serde's form to jco's. */
export function fromSerde(types, scope, type, value) {
  const { head, parameters, definition, home } = resolve(types, scope, type);
  const inner = (of, part, at = scope) => fromSerde(types, at, of, part);
  switch (head) {
    case 'option':
      return value === null ? undefined : inner(parameters[0], value);
    case 'list':
      return parameters[0] === 'u8' ? Uint8Array.from(value) : value.map((item) => inner(parameters[0], item));
    case 'tuple':
      return value.map((item, index) => inner(parameters[index], item));
    case 's64':
    case 'u64':
      return BigInt(value);
    case 'record':
      return Object.fromEntries(
        definition.items
          .map(({ name, type }) => [camel(name), inner(type, value[snake(name)], home)])
          .filter(([, field]) => field !== undefined),
      );
    case 'enum':
      return definition.items.find(({ name }) => pascal(name) === value).name;
    case 'variant': {
      const tag = typeof value === 'string' ? value : Object.keys(value)[0];
      const { name, type } = definition.items.find((item) => pascal(item.name) === tag);
      return type ? { tag: name, val: inner(type, value[tag], home) } : { tag: name };
    }
    default:
      return value;
  }
}

/** Converts a value from jco's form to serde's. Fields are in the order of the contract, as serde writes them. */
export function toSerde(types, scope, type, value) {
  const { head, parameters, definition, home } = resolve(types, scope, type);
  const inner = (of, part, at = scope) => toSerde(types, at, of, part);
  switch (head) {
    case 'option':
      return value === undefined ? null : inner(parameters[0], value);
    case 'list':
      return [...value].map((item) => inner(parameters[0], item));
    case 'tuple':
      return value.map((item, index) => inner(parameters[index], item));
    case 's64':
    case 'u64':
      return Number(value);
    case 'record':
      return Object.fromEntries(definition.items.map(({ name, type }) => [snake(name), inner(type, value[camel(name)], home)]));
    case 'enum':
      return pascal(value);
    case 'variant': {
      const { type } = definition.items.find(({ name }) => name === value.tag);
      return type ? { [pascal(value.tag)]: inner(type, value.val, home) } : pascal(value.tag);
    }
    case 'result':
      return 'ok' in value ? { Ok: inner(parameters[0], value.ok) } : { Err: inner(parameters[1], value.err) };
    default:
      return value;
  }
}

/** The definition of a type, with the interface in which its names are resolved. */
function resolve(types, scope, type) {
  const [, head, inside] = /^([\w-]+)(?:<(.*)>)?$/s.exec(type);
  if (inside) {
    return { head, parameters: list(inside) };
  }
  const definition = types.get(scope).get(head);
  if (!definition) {
    return { head };
  }
  if (definition.use) {
    return resolve(types, definition.use, head);
  }
  return definition.kind === 'alias' ? resolve(types, scope, definition.type) : { head: definition.kind, definition, home: scope };
}

const words = (name) => name.split('-');
const upper = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const snake = (name) => words(name).join('_');
const pascal = (name) => words(name).map(upper).join('');
export const camel = (name) => words(name).map((word, index) => (index === 0 ? word : upper(word))).join('');
