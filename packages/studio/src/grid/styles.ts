import { css } from 'lit';

/** Frames, handles and the grid under a view that is edited. */
export const gridStyles = css`
  :host {
    --frame: var(--inlay-main);
    overflow: visible;
    contain: layout style;
  }
  /* Room below the last item, to move items there. */
  .grid {
    padding-block-end: 120px;
  }
  .item {
    position: relative;
  }
  .content {
    height: 100%;
  }
  .content[data-hidden] {
    opacity: 0.35;
  }
  .flags {
    position: absolute;
    inset: auto 8px 8px auto;
    padding: 0 6px;
    border-radius: var(--inlay-radius-small);
    background: var(--inlay-page-text);
    color: var(--inlay-background);
    font: 12px / 1.6 var(--inlay-font-family);
  }
  .frame[data-locked] > .body {
    cursor: default;
  }
  .frame {
    position: absolute;
    inset: 0;
    z-index: 1;
    pointer-events: none;
  }
  .body {
    position: absolute;
    inset: 0;
    padding: 0;
    border: 1px dashed color-mix(in srgb, var(--inlay-page-muted) 60%, transparent);
    border-radius: var(--inlay-radius-small);
    background: none;
    color: inherit;
    font: inherit;
    cursor: grab;
    pointer-events: auto;
    touch-action: pan-y;
  }
  .frame[data-grip] > .body {
    inset: 0 0 auto auto;
    width: max(24px, var(--inlay-control));
    height: max(24px, var(--inlay-control));
    border-style: solid;
    background: var(--inlay-background);
  }
  .frame[data-selected] > .body {
    border: 2px solid var(--frame);
    touch-action: none;
  }
  .body:hover {
    border-color: var(--frame);
  }
  .body:focus-visible {
    outline: 3px solid var(--frame);
    outline-offset: 2px;
  }
  .frame[data-lifted] > .body {
    cursor: grabbing;
    border-style: solid;
    box-shadow: var(--inlay-popup-shadow);
  }
  .handle {
    position: absolute;
    width: 24px;
    height: 24px;
    margin: -12px;
    pointer-events: auto;
    touch-action: none;
  }
  .handle::after {
    content: '';
    position: absolute;
    inset: 7px;
    border: 2px solid var(--frame);
    border-radius: 2px;
    background: var(--inlay-background);
  }
  .handle[data-edge*='n'] {
    top: 0;
  }
  .handle[data-edge*='s'] {
    top: 100%;
  }
  .handle[data-edge='e'],
  .handle[data-edge='w'] {
    top: 50%;
    cursor: ew-resize;
  }
  .handle[data-edge='n'],
  .handle[data-edge='s'] {
    inset-inline-start: 50%;
    cursor: ns-resize;
  }
  .handle[data-edge*='e'] {
    inset-inline-start: 100%;
  }
  .handle[data-edge*='w'] {
    inset-inline-start: 0;
  }
  .handle[data-edge='se'],
  .handle[data-edge='nw'] {
    cursor: nwse-resize;
  }
  .handle[data-edge='ne'],
  .handle[data-edge='sw'] {
    cursor: nesw-resize;
  }
  .handle[data-edge='n'],
  .handle[data-edge='s'],
  .handle[data-edge*='w'] {
    margin-inline-end: 0;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .frame[data-selected] > .body {
      border-color: Highlight;
    }
  }
`;
