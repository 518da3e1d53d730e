import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** Vue leaves tags of the elements as they are. */
const isCustomElement = (tag: string): boolean => tag.startsWith('inlay-');

export default defineConfig({ plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] });
