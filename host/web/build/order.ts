import type { Plugin } from 'vite';

const COLOURS = /\s*<script src="\.\/theme\.js"><\/script>/;

/**
 * Puts the script that chooses the colours behind all that the head of the page fetches. Beside a policy in a `meta` element, Chromium
 * fetches nothing that stands behind such a script before the script has run, which is one round trip later.
 */
export function order(): Plugin {
  return {
    name: 'order',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [colours] = COLOURS.exec(html) ?? [];
        if (colours === undefined) {
          throw new Error('the page has no script that chooses the colours');
        }
        return html.replace(colours, '').replace(/\s*<\/head>/, `${colours}$&`);
      },
    },
  };
}
