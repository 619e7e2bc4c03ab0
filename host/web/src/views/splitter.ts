/** The separator between the panes. The pointer or the arrow keys move it. */

import { byId } from '../dom.ts';

const [LEAST, MOST, STEP] = [20, 75, 2];

export function splitter(): void {
  const line = byId('splitter');
  const main = byId('main');
  const move = (percent: number) => {
    const bounded = Math.round(Math.min(MOST, Math.max(LEAST, percent)));
    main.style.setProperty('--left', `${bounded}%`);
    line.setAttribute('aria-valuenow', String(bounded));
  };
  const usual = () => Number.parseFloat(getComputedStyle(main).getPropertyValue('--left'));
  line.setAttribute('aria-valuenow', String(usual()));
  const now = () => Number(line.getAttribute('aria-valuenow'));
  line.addEventListener('pointerdown', (event) => {
    line.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  line.addEventListener('pointermove', (event) => {
    if (line.hasPointerCapture(event.pointerId)) {
      const { left, width } = main.getBoundingClientRect();
      move(((event.clientX - left) / width) * 100);
    }
  });
  line.addEventListener('keydown', (event) => {
    const to = { ArrowLeft: now() - STEP, ArrowRight: now() + STEP, Home: LEAST, End: MOST }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    }
  });
  line.addEventListener('dblclick', () => {
    main.style.removeProperty('--left');
    line.setAttribute('aria-valuenow', String(usual()));
  });
}
