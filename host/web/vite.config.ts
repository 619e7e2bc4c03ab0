import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { component } from './build/component.ts';
import { compress } from './build/compress.ts';
import { order } from './build/order.ts';

const target = resolve(import.meta.dirname, '../../target/web');

export default defineConfig({
  base: './', // the page works at any path of a static server
  plugins: [
    component(process.env['COMPONENT'] ?? resolve(target, 'sailplane.wasm'), resolve(target, 'component')),
    order(),
    compress(),
  ],
  resolve: { alias: { component: resolve(target, 'component') } },
  build: {
    outDir: resolve(target, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with `light-dark()`, from early 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy forbids inline scripts and `data:` URLs, so all assets are files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  worker: { format: 'es' },
});
