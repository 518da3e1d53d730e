import { defineElements } from '@inlay/embed';
import { createApp } from 'vue';
import App from './App.vue';

defineElements();
createApp(App).mount('#root');
