import { css } from 'lit';
import { contentStyles } from './content.ts';
import { controlStyles } from './control.ts';
import { figureStyles } from './figure.ts';
import { legendStyles } from './legend.ts';
import { tableStyles } from './table.ts';

/** Styles of a card. Colours and sizes come only from the custom properties of the theme. */
export const cardStyles = css`
  :host {
    display: block;
    min-width: 0;
    min-height: 0;
    height: 100%;
    container-type: size;
    color: var(--inlay-text);
    font: var(--inlay-font-style) var(--inlay-font-weight) var(--inlay-font-size) / 1.4 var(--inlay-font-family);
  }
  article {
    box-sizing: border-box;
    height: 100%;
    display: flex;
    flex-direction: column;
    gap: var(--inlay-space);
    padding: var(--inlay-padding);
    background: var(--inlay-items);
    border: var(--inlay-border-style) var(--inlay-border-color);
    border-width: var(--inlay-border-widths);
    border-radius: var(--inlay-radius);
    box-shadow: var(--inlay-shadow);
    overflow: hidden;
    position: relative;
  }
  header {
    display: flex;
    align-items: center;
    gap: calc(var(--inlay-space) * 1.5);
    min-height: 24px;
    border-block-end: var(--inlay-title-border);
  }
  h2,
  h3 {
    flex: 1;
    min-width: 0;
    margin: 0;
    font-size: var(--inlay-title-size);
    line-height: var(--inlay-title-line);
    font-weight: var(--inlay-title-weight);
    font-style: var(--inlay-title-style);
    text-decoration: var(--inlay-title-decoration);
    text-align: var(--inlay-title-align);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    background: none;
    border: 1px solid transparent;
    border-radius: var(--inlay-radius-small);
    padding: 2px calc(var(--inlay-space) * 1.5);
    cursor: pointer;
    text-align: start;
  }
  header button {
    color: var(--inlay-muted);
    font-size: var(--inlay-small);
  }
  .icon {
    display: block;
    width: 16px;
    height: 16px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.4;
    stroke-linecap: round;
  }
  .about {
    flex: none;
    order: 1;
    width: 16px;
    height: 16px;
    border: 1px solid var(--inlay-muted);
    border-radius: 50%;
    font-size: calc(var(--inlay-small) - 1px);
    line-height: 16px;
    text-align: center;
    color: var(--inlay-muted);
    cursor: help;
  }
  /* What is seldom used shows where somebody is about to. */
  @media (hover: hover) {
    article:not(:hover, :focus-within) .quiet:not([aria-expanded='true']) {
      opacity: 0;
    }
  }
  .more {
    padding-inline: 2px;
  }
  /* Numbers have their head to themselves, at any size. */
  article.figured .more {
    position: absolute;
    inset-block-start: var(--inlay-padding);
    inset-inline-end: var(--inlay-padding);
    background: var(--inlay-items);
  }
  button:hover,
  header button:focus-visible {
    border-color: var(--inlay-line);
  }
  header button:is(:hover, :focus-visible) {
    color: var(--inlay-text);
  }
  :focus-visible {
    outline: 2px solid var(--inlay-main);
    outline-offset: 1px;
  }
  .body {
    flex: 1;
    min-height: 0;
    position: relative;
    overflow: auto;
  }
  :host([waiting]) [aria-busy='false'] > .body {
    opacity: 0.5;
    transition: opacity 0.2s 0.4s;
  }
  .body.drawn {
    overflow: hidden;
  }
  .canvas {
    position: absolute;
    inset: 0;
  }
  .state {
    display: grid;
    place-content: center;
    gap: calc(var(--inlay-space) * 2);
    justify-items: center;
    height: 100%;
    text-align: center;
    color: var(--inlay-muted);
  }
  .state button {
    border-color: var(--inlay-line);
    color: var(--inlay-text);
  }
  .note {
    color: var(--inlay-muted);
    font-size: var(--inlay-small);
  }
  :host([compact]) .conditions {
    display: none;
  }
  .note.line {
    flex: none;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .bar {
    height: 3px;
    width: 40%;
    border-radius: calc(var(--inlay-radius-small) / 2);
    background: var(--inlay-main);
    opacity: 0.5;
    animation: slide 1.2s ease-in-out infinite alternate;
  }
  @keyframes slide {
    from {
      transform: translateX(-60%);
    }
    to {
      transform: translateX(210%);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bar {
      animation: none;
      width: 100%;
    }
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .chip {
    border-color: var(--inlay-line);
    max-width: 40%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [aria-pressed='true'] {
    background: var(--inlay-main);
    color: var(--inlay-on-main);
  }
  /* In a card of one line the title stands before what it is about. */
  @container (max-height: 72px) {
    article {
      flex-direction: row;
      align-items: center;
      gap: calc(var(--inlay-space) * 2.5);
      padding-block: calc(var(--inlay-space) * 1.5);
    }
    header {
      border: 0;
      flex: 0 1 auto;
      max-width: 45%;
    }
    .body {
      flex: 1;
      max-height: 100%;
    }
  }
  ${figureStyles}
  ${legendStyles}
  ${contentStyles}
  ${controlStyles}
  ${tableStyles}
`;
