import { isObject, type Json } from '@inlay/contract';
import { defineElements } from '../index.ts';
import { InlayDashboard } from '../elements/dashboard.ts';

const textIn = (value: Json, name: string): string => {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
};

/** Fetches a new token for this page. Reloads the page if the share has ended. */
async function renew(): Promise<{ key: string; token: string }> {
  const response = await fetch(`${location.pathname.replace(/\/$/u, '')}/token`, { method: 'POST' });
  if (response.status === 404) location.reload();
  const answer: Json = await response.json();
  return { key: textIn(answer, 'key'), token: textIn(answer, 'token') };
}

function showShare(): void {
  const data: Json = JSON.parse(document.getElementById('share')?.textContent ?? '{}');
  defineElements();
  const element = new InlayDashboard();
  element.dashboardId = textIn(data, 'dashboard_id');
  element.authKey = textIn(data, 'key');
  element.authToken = textIn(data, 'token');
  element.getToken = renew;
  const main = document.createElement('main');
  main.append(element);
  document.body.append(main);
}

showShare();
