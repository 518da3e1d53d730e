import { css } from 'lit';
import { controlStyles } from './control-styles.ts';

/** Colours and sizes come from the theme through custom properties alone. */
export const cardStyles = css`
  :host {
    display: block;
    min-width: 0;
    min-height: 0;
    height: 100%;
    color: var(--inlay-text);
    font: var(--inlay-font-style) var(--inlay-font-weight) var(--inlay-font-size) / 1.4 var(--inlay-font-family);
  }
  article {
    box-sizing: border-box;
    height: 100%;
    display: flex;
    flex-direction: column;
    gap: 4px;
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
    gap: 6px;
    min-height: 24px;
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
    border-radius: 4px;
    padding: 2px 6px;
    cursor: pointer;
    text-align: start;
  }
  header button {
    opacity: 0.65;
    font-size: 12px;
  }
  button:hover,
  header button:focus-visible,
  header button:hover {
    opacity: 1;
    border-color: var(--inlay-line);
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
    gap: 8px;
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
    font-size: 12px;
  }
  .bar {
    height: 3px;
    width: 40%;
    border-radius: 2px;
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
  table {
    border-collapse: collapse;
    width: 100%;
    font-variant-numeric: tabular-nums;
  }
  caption {
    text-align: start;
    color: var(--inlay-muted);
    font-size: 12px;
  }
  th,
  td {
    padding: 4px 8px;
    border-block-end: 1px solid var(--inlay-line);
    text-align: start;
    vertical-align: top;
    font-weight: normal;
  }
  thead th {
    position: sticky;
    top: 0;
    background: var(--inlay-items);
    font-weight: 600;
  }
  .number {
    text-align: end;
    white-space: nowrap;
  }
  td.room {
    padding: 0;
    border: 0;
  }
  .chip {
    border-color: var(--inlay-line);
    max-width: 40%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  td button,
  th button {
    padding: 0 2px;
    margin-inline: -3px;
  }
  [aria-pressed='true'] {
    background: var(--inlay-main);
    color: var(--inlay-items);
  }
  .figure {
    height: 100%;
    display: flex;
    flex-direction: column;
    justify-content: center;
    align-items: center;
    text-align: center;
    gap: 2px;
    container-type: size;
  }
  .figure strong {
    font-size: clamp(18px, min(24cqw, 34cqh), 72px);
    line-height: 1.1;
    color: var(--inlay-main);
    white-space: nowrap;
  }
  .figure svg {
    width: 100%;
    height: 28cqh;
  }
  ${controlStyles}
`;
