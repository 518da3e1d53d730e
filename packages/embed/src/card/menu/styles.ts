import { css } from 'lit';

/** Styles of a card's menu, its messages, and the card in full screen. */
export const menuStyles = css`
  .menu {
    box-sizing: border-box;
    position: fixed;
    inset: auto;
    margin: 0;
    padding: 4px;
    width: max-content;
    min-width: 180px;
    max-width: min(320px, calc(100vw - 16px));
    overflow: auto;
    color: var(--inlay-text);
    background:
      linear-gradient(var(--inlay-items), var(--inlay-items)),
      linear-gradient(var(--inlay-background), var(--inlay-background)), Canvas;
    border: 1px solid var(--inlay-line);
    border-radius: 8px;
    box-shadow: 0 6px 24px rgb(0 0 0 / 18%);
    font-size: 13px;
  }
  .menu:not(:popover-open) {
    display: none;
  }
  .menu [role='menuitem'] {
    display: block;
    width: 100%;
    padding: 6px 10px;
    overflow-wrap: anywhere;
  }
  .menu [role='menuitem']:is(:hover, :focus) {
    background: color-mix(in srgb, var(--inlay-text) 8%, transparent);
    outline: none;
  }
  .menu [role='menuitem']:focus-visible {
    outline: 2px solid var(--inlay-main);
    outline-offset: -2px;
  }
  .menu .group + .group,
  .menu .description {
    margin-block-start: 4px;
    padding-block-start: 4px;
    border-block-start: 1px solid var(--inlay-line);
  }
  .menu .heading,
  .menu .description {
    padding-inline: 10px;
    color: var(--inlay-muted);
    font-size: 12px;
  }
  .menu .heading {
    padding-block: 4px 2px;
  }
  .menu .description {
    margin-block-end: 0;
    padding-block: 8px 6px;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .menu .beside {
    display: flex;
    flex-wrap: wrap;
    padding-inline: 4px;
  }
  .menu .beside [role='menuitem'] {
    width: auto;
    padding-inline: 8px;
    min-height: 32px;
  }
  @media (pointer: coarse) {
    .menu [role='menuitem'] {
      padding-block: 11px;
    }
    .menu .beside [role='menuitem'] {
      min-width: 44px;
    }
  }
  .told {
    position: absolute;
    inset-block-end: 8px;
    inset-inline: 8px;
    width: fit-content;
    max-width: calc(100% - 16px);
    box-sizing: border-box;
    margin-inline: auto;
    padding: 4px 12px;
    border-radius: 6px;
    background: var(--inlay-text);
    color: var(--inlay-items);
    font-size: 12px;
    pointer-events: none;
  }
  .told:empty {
    visibility: hidden;
  }
  :host(:fullscreen) {
    background:
      linear-gradient(var(--inlay-items), var(--inlay-items)),
      linear-gradient(var(--inlay-background), var(--inlay-background)), Canvas;
  }
`;
