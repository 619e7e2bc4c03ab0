// Before anything is drawn, so that the page does not flash in other colours than those that were chosen. `src/theme.ts`
// stores the choice.
try {
  const stored = localStorage.getItem('sailplane.colours');
  document.documentElement.dataset.theme = stored === 'light' || stored === 'dark' ? stored : 'system';
} catch {
  // Storage may be disabled.
}
