import { css } from 'lit';
import { datesStyles } from './dates.ts';
import { popupStyles } from './popup.ts';

/** Filters inside a card: choices, fields and sliders. */
export const controlStyles = css`
  .body.filter {
    padding: 2px;
    margin: -2px;
  }
  .body.line {
    overflow: visible;
  }
  :host([compact]) article {
    flex-direction: row;
    align-items: center;
    gap: calc(var(--inlay-space) * 2);
    padding-block: 0;
  }
  :host([compact]) header {
    border: 0;
    flex: 0 1 auto;
    min-width: 0;
    max-width: 50%;
  }
  :host([compact]) .body {
    align-self: stretch;
  }
  :host([compact]) .body.line {
    align-self: center;
    flex: 1 1 0;
    min-width: 40%;
  }
  inlay-dropdown,
  inlay-dates,
  inlay-search {
    display: block;
    min-width: 0;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--inlay-space) * 1.5);
  }
  :host([compact]) .buttons {
    flex-wrap: nowrap;
    align-items: center;
    height: 100%;
  }
  .buttons button {
    flex: none;
    min-height: calc(var(--inlay-control) - 2px);
    padding-inline: calc(var(--inlay-space) * 3);
    border-color: color-mix(in srgb, var(--inlay-muted) 70%, transparent);
    border-radius: var(--inlay-radius-medium);
  }
  .buttons button:hover {
    border-color: var(--inlay-main);
  }
  ${popupStyles}
  ${datesStyles}
  .choice {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .choice label {
    display: flex;
    gap: calc(var(--inlay-space) * 2);
    min-height: calc(var(--inlay-control) - 2px);
    box-sizing: border-box;
    padding: calc(var(--inlay-space) * 0.75) var(--inlay-space);
    align-items: center;
    cursor: pointer;
    position: relative;
  }
  .choice .share {
    position: absolute;
    inset-block: 2px;
    inset-inline-start: 0;
    background: var(--inlay-main);
    opacity: 0.14;
    border-radius: calc(var(--inlay-radius-small) / 2);
    pointer-events: none;
  }
  .choice .text {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  input[type='checkbox'],
  input[type='radio'],
  input[type='range'] {
    accent-color: var(--inlay-main);
  }
  .range {
    display: flex;
    align-items: center;
    gap: calc(var(--inlay-space) * 2.5);
  }
  .range input[type='number'] {
    flex: 0 1 6em;
    width: 6em;
    padding-inline: calc(var(--inlay-space) * 2);
    appearance: textfield;
    text-overflow: ellipsis;
  }
  .range input::-webkit-inner-spin-button {
    display: none;
  }
  .slide {
    flex: 1 1 64px;
    min-width: 64px;
    display: grid;
    position: relative;
    height: 32px;
  }
  .slide span {
    position: absolute;
    inset: 14px 0;
    border-radius: calc(var(--inlay-radius-small) / 2);
    background: var(--inlay-line);
  }
  .slide .span {
    background: var(--inlay-main);
  }
  .slide input {
    grid-area: 1 / 1;
    width: 100%;
    margin: 0;
    appearance: none;
    background: none;
    pointer-events: none;
    z-index: 1;
  }
  .slide input::-webkit-slider-thumb {
    appearance: none;
    width: 18px;
    height: 18px;
    border: 2px solid var(--inlay-items);
    border-radius: 50%;
    background: var(--inlay-main);
    pointer-events: auto;
    cursor: pointer;
  }
  .slide input::-moz-range-thumb {
    border: 2px solid var(--inlay-items);
    background: var(--inlay-main);
    pointer-events: auto;
    cursor: pointer;
  }
`;
