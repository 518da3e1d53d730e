import { css } from 'lit';

/** One-line fields and the lists that they open. */
export const popupStyles = css`
  .field,
  .popup input:is([type='search'], [type='text']),
  .filter input:is([type='search'], [type='number']) {
    box-sizing: border-box;
    width: 100%;
    min-width: 0;
    height: var(--inlay-control);
    padding: var(--inlay-space) calc(var(--inlay-space) * 2.5);
    background: transparent;
    border: 1px solid color-mix(in srgb, var(--inlay-muted) 70%, transparent);
    border-radius: var(--inlay-radius-medium);
    font-variant-numeric: tabular-nums;
  }
  button.field {
    display: flex;
    align-items: center;
    gap: calc(var(--inlay-space) * 2);
  }
  button.field:hover,
  button.field[aria-expanded='true'] {
    border-color: var(--inlay-main);
  }
  .field .value,
  .field .extent {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .field .value {
    flex: 0 0 auto;
    max-width: calc(100% - 20px);
  }
  .field .extent {
    flex: 0 1 auto;
    color: var(--inlay-muted);
    font-size: var(--inlay-small);
  }
  .field svg,
  .popup svg {
    flex: none;
    width: 12px;
    height: 12px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .field svg {
    margin-inline-start: auto;
  }
  .popup {
    box-sizing: border-box;
    position: fixed;
    inset: auto;
    margin: 0;
    padding: calc(var(--inlay-space) * 2);
    max-width: calc(100vw - 16px);
    color: var(--inlay-text);
    background:
      linear-gradient(var(--inlay-items), var(--inlay-items)),
      linear-gradient(var(--inlay-background), var(--inlay-background)), Canvas;
    border: 1px solid var(--inlay-line);
    border-radius: var(--inlay-radius-large);
    box-shadow: var(--inlay-popup-shadow);
    font: inherit;
    overflow: auto;
    overscroll-behavior: contain;
  }
  .popup:popover-open {
    display: flex;
    flex-direction: column;
    gap: calc(var(--inlay-space) * 1.5);
  }
  .popup .note {
    margin: 0;
  }
  .popup > input {
    flex: none;
  }
  .popup button {
    min-height: calc(var(--inlay-control) - 2px);
    border-radius: var(--inlay-radius-medium);
  }
  .options {
    flex: 1 1 auto;
    min-height: 64px;
    min-width: 160px;
    overflow: auto;
    border-radius: var(--inlay-radius-medium);
  }
  .option {
    display: flex;
    align-items: center;
    gap: calc(var(--inlay-space) * 2);
    min-height: calc(var(--inlay-control) - 2px);
    box-sizing: border-box;
    padding: var(--inlay-space) calc(var(--inlay-space) * 2);
    border-radius: var(--inlay-radius-medium);
    cursor: pointer;
  }
  .option .text {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .option:hover,
  .option.active {
    background: color-mix(in srgb, var(--inlay-main) 12%, transparent);
  }
  .options:focus-visible .option.active,
  [type='search']:focus-visible ~ .options .option.active {
    outline: 2px solid var(--inlay-main);
    outline-offset: -2px;
  }
  .options:focus-visible {
    outline: none;
  }
  .option .tick {
    flex: none;
    display: grid;
    place-content: center;
    width: 14px;
    height: 14px;
    border: 1px solid var(--inlay-muted);
    border-radius: 50%;
  }
  .options.many .tick {
    border-radius: calc(var(--inlay-radius-small) * 0.75);
  }
  .option[aria-selected='true'] .tick {
    border-color: var(--inlay-main);
    background: var(--inlay-main);
  }
  .option[aria-selected='true'] .tick::before {
    content: '';
    width: 7px;
    height: 3px;
    border: solid var(--inlay-on-main);
    border-width: 0 0 2px 2px;
    transform: translateY(-1px) rotate(-45deg);
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: var(--inlay-space);
  }
  .foot .note {
    flex: 1;
  }
`;
