/** The look of editors. Colours are CSS variables of the page, which are inherited into the editors' shadow roots. */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { hangingIndent } from './indent.ts';

/** The colours of YAML. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-text)' },
  { tag: tags.content, color: 'var(--code-text)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.meta, tags.typeName, tags.labelName, tags.keyword], color: 'var(--code-meta)' },
  { tag: [tags.separator, tags.punctuation, tags.brace, tags.squareBracket], color: 'var(--muted)' },
]);

/** A wavy underline. CodeMirror's default is a `data:` image, which the content security policy forbids. */
const wavy = (colour: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy ${colour} 1px`,
  textUnderlineOffset: '3px',
  textDecorationSkipInk: 'none',
});

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: 'var(--code-size)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0 40px', caretColor: 'var(--accent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-placeholder': { color: 'var(--muted)', whiteSpace: 'pre-wrap' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none', paddingLeft: '4px' },
  // Translucent: the selection is below the lines.
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--line) 30%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection) !important',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--mark)', color: 'inherit' },
  '.cm-foldPlaceholder': {
    margin: '0 6px',
    padding: '0 8px',
    minHeight: '20px',
    textAlign: 'start',
    border: 'none',
    borderRadius: '6px',
    backgroundColor: 'var(--active)',
    color: 'var(--muted)',
    font: '12px/1.5 var(--sans)',
    cursor: 'pointer',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)', outline: '1px solid var(--line-strong)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--mark-strong)' },

  '.cm-lintRange-error': wavy('var(--error)'),
  '.cm-lintRange-warning': wavy('var(--warning)'),
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--error)' },
  '.cm-lintPoint-warning:after': { borderBottomColor: 'var(--warning)' },
  '.cm-linked': { backgroundColor: 'var(--mark)', boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-why': { width: '14px' },
  '.cm-why .cm-gutterElement': { display: 'flex', alignItems: 'center', justifyContent: 'center' },
  '.cm-why-dot': { width: '5px', height: '5px', borderRadius: '50%', backgroundColor: 'var(--accent)', opacity: '.55' },
  '.cm-followable': { cursor: 'pointer' },

  '.cm-heading': {
    position: 'relative',
    borderTop: '1px solid var(--line)',
    backgroundColor: 'var(--active)',
    fontWeight: '650',
    padding: '3px 16px 3px 8px',
  },
  '.cm-heading span': { color: 'var(--text) !important', fontStyle: 'normal !important' },
  '.cm-dot': {
    display: 'inline-block',
    width: '9px',
    height: '9px',
    marginRight: '8px',
    borderRadius: '50%',
    border: '2px solid var(--warning)',
    boxSizing: 'border-box',
  },
  '.cm-dot-ready': { border: '5px solid var(--ok)' },
  '.cm-actions': {
    position: 'absolute',
    insetBlock: '0',
    right: '8px',
    display: 'flex',
    alignItems: 'center',
    gap: '4px',
    backgroundColor: 'var(--active)',
  },
  '@media (max-width: 1000px)': { '.cm-actions': { position: 'static', display: 'inline-flex', marginLeft: '8px' } },
  // The others only where they are wanted, so that headings stay calm.
  '.cm-heading:not(:hover, :focus-within, .cm-linked) .cm-actions button + button': { display: 'none' },
  '.cm-actions button': {
    padding: '1px 9px',
    minHeight: '24px',
    border: '1px solid var(--line-strong)',
    borderRadius: '7px',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: '12px/1.5 var(--sans)',
    cursor: 'pointer',
  },
  '.cm-actions button:hover': { borderColor: 'var(--accent)', color: 'var(--accent)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--sans)',
    fontSize: '13px',
    zIndex: '50',
  },
  '.cm-tooltip.cm-tooltip-hover': { maxWidth: 'min(460px, 92vw)', overflow: 'hidden' },
  '.cm-tooltip-section:not(:first-child)': { borderTop: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-strong)',
    color: 'var(--on-accent)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '1.2em' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionInfo': { padding: '0', maxWidth: 'min(340px, 80vw)' },

  '.doc, .why-tip': { padding: '8px 12px', lineHeight: '1.45', maxWidth: '440px' },
  '.doc p, .why-tip p': { margin: '0 0 6px' },
  '.doc ul': { margin: '0 0 6px', paddingLeft: '18px' },
  '.doc dl': { margin: '0' },
  '.doc dl div': { display: 'flex', gap: '8px' },
  '.doc dt': { color: 'var(--muted)', minWidth: '4.5em' },
  '.doc dd': { margin: '0', overflowWrap: 'anywhere' },
  '.doc-name': { fontFamily: 'var(--mono)' },
  '.doc-name em': { color: 'var(--warning)', fontStyle: 'normal', marginLeft: '8px' },
  '.doc code, .why-tip code, .cm-diagnostic code': {
    fontFamily: 'var(--mono)',
    fontSize: '.93em',
    backgroundColor: 'var(--active)',
    borderRadius: '4px',
    padding: '0 4px',
  },
  '.why-tip .muted': { color: 'var(--muted)' },
  '.why-tip p:last-child, .doc p:last-child': { margin: '0' },

  '.cm-diagnostic': {
    padding: '8px 12px',
    borderLeft: '3px solid var(--error)',
    whiteSpace: 'normal',
    lineHeight: '1.45',
  },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-diagnostic .hint': { color: 'var(--muted)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent-strong)',
    color: 'var(--on-accent)',
    borderRadius: '6px',
    padding: '3px 10px',
    margin: '8px 0 0',
    display: 'table',
    font: 'inherit',
  },

  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 12px', fontFamily: 'var(--sans)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '3px 8px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    color: 'var(--text)',
  },

  '.cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--added) !important' },
  '&.cm-merge-b .cm-changedText, .cm-changedText': { background: 'var(--added-strong) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--removed) !important', paddingLeft: '8px' },
  '.cm-deletedChunk .cm-deletedText, .cm-deletedText': { background: 'var(--removed-strong) !important' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '1px' },
  '.cm-changedLineGutter': { background: 'var(--ok) !important' },
  '.cm-deletedLineGutter': { background: 'var(--error) !important' },
  '.cm-collapsedLines': { background: 'var(--active)', color: 'var(--muted)', padding: '4px 12px' },
  // The sign of the editor's own theme is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
});

/** The look of every editor. */
export const theme: Extension = [look, hangingIndent, syntaxHighlighting(highlighting)];
