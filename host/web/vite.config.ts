import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { component } from './build/component.ts';

const target = resolve(import.meta.dirname, '../../target/web');

export default defineConfig({
  base: './', // works below any path of any static server
  plugins: [component(process.env['COMPONENT'] ?? resolve(target, 'sailplane.wasm'), resolve(target, 'component'))],
  resolve: { alias: { component: resolve(target, 'component') } },
  build: {
    outDir: resolve(target, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The first ones with `light-dark()`, of early 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the page forbids inline scripts and `data:` URLs, so everything is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  worker: { format: 'es' },
});
