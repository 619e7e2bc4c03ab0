/** Tabs as in the ARIA practices: one tab stop, and arrow keys to move between tabs. */

import { fill, h } from '../dom.ts';

export interface Tab<Name extends string> {
  name: Name;
  title: string;
  /** The id of the tab's panel. */
  panel: string;
}

/** A badge beside a tab's title. */
export interface Badge {
  text: string;
  kind: 'count' | 'error' | 'warning' | 'dot';
  /** The meaning of the badge, for screen readers. */
  label: string;
}

/** Creates tabs in `host`. Returns a function that draws the selected tab and the badges, and leaves out hidden tabs. */
export function tabs<Name extends string>(
  host: HTMLElement,
  all: readonly Tab<Name>[],
  select: (name: Name) => void,
): (selected: Name, badge: (name: Name) => Badge | undefined, isHidden?: (name: Name) => boolean) => void {
  const buttons = all.map(({ name, title, panel }) => {
    const label = h('span', { class: 'tab-title' }, title);
    const badge = h('span', {});
    const button = h(
      'button',
      { role: 'tab', id: `tab-${name}`, 'aria-controls': panel, type: 'button', onclick: () => select(name) },
      label,
      badge,
    );
    return { name, panel, button, badge, drawn: '' };
  });
  host.setAttribute('role', 'tablist');
  fill(host, ...buttons.map(({ button }) => button));
  host.addEventListener('keydown', (event) => {
    const visible = buttons.filter(({ button }) => !button.hidden);
    const at = visible.findIndex(({ button }) => button === document.activeElement);
    const last = visible.length - 1;
    const to = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last }[
      event.key
    ];
    const target = to === undefined || at < 0 ? undefined : visible[to];
    if (target) {
      event.preventDefault();
      select(target.name);
      target.button.focus();
    }
  });
  return (selected, badgeOf, isHidden = () => false) => {
    for (const tab of buttons) {
      const { name, panel, button, badge } = tab;
      const isSelected = name === selected;
      const shown = badgeOf(name);
      const hidden = isHidden(name);
      const key = JSON.stringify([isSelected, shown, hidden]);
      if (key === tab.drawn) {
        continue; // true for most keystrokes
      }
      tab.drawn = key;
      button.hidden = hidden;
      button.setAttribute('aria-selected', String(isSelected));
      button.tabIndex = isSelected ? 0 : -1;
      if (isSelected) {
        document.getElementById(panel)?.setAttribute('aria-labelledby', button.id);
      }
      badge.className = shown ? `badge badge-${shown.kind}` : '';
      fill(
        badge,
        ...(shown
          ? [h('span', { 'aria-hidden': 'true' }, shown.text), h('span', { class: 'hidden' }, `, ${shown.label}`)]
          : []),
      );
    }
  };
}
