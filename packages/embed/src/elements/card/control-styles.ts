import { css } from 'lit';

/** How filters look inside a card: choices, fields and sliders. */
export const controlStyles = css`
  .choice {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .choice label {
    display: flex;
    gap: 8px;
    padding: 3px 4px;
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
    border-radius: 2px;
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
  input[type='search'],
  input[type='date'],
  input[type='number'],
  select {
    box-sizing: border-box;
    width: 100%;
    padding: 4px 8px;
    background: transparent;
    border: 1px solid var(--inlay-muted);
    border-radius: 4px;
  }
  option {
    background: var(--inlay-items);
  }
  .range {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 6.75rem), 1fr));
    gap: 4px 8px;
  }
  .range label,
  .range input {
    min-width: 0;
  }
  .range input[type='date'] {
    padding-inline: 4px;
    font-size: 0.9em;
  }
  .slide {
    grid-column: 1 / -1;
    display: grid;
    position: relative;
    height: 24px;
  }
  .slide span {
    position: absolute;
    inset: 10px 0;
    border-radius: 2px;
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
