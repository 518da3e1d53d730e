import { css } from 'lit';

/** Legends above or below the plot, or at its side in wide cards. */
export const legendStyles = css`
  .chart {
    position: absolute;
    inset: 0;
    container-type: size;
  }
  .layout {
    height: 100%;
    display: flex;
    flex-direction: column;
    gap: var(--inlay-space);
  }
  .layout.bottom {
    flex-direction: column-reverse;
  }
  .plot {
    flex: 1;
    min-width: 0;
    min-height: 0;
    position: relative;
  }
  .legend {
    flex: none;
    max-height: min(30%, 5.6em);
    overflow: auto;
    font-size: var(--inlay-legend-size);
    line-height: var(--inlay-legend-line);
  }
  .legend ul {
    list-style: none;
    margin: 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(var(--inlay-space) * 2.5);
  }
  .legend li {
    min-width: 0;
    max-width: 100%;
  }
  .legend button {
    display: flex;
    align-items: center;
    gap: calc(var(--inlay-space) * 1.5);
    max-width: 100%;
    padding: 1px 2px;
    opacity: 1;
    background: none;
    color: inherit;
  }
  .legend [aria-pressed='false'] {
    opacity: 0.6;
    text-decoration: line-through;
  }
  .legend .text {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .legend .value {
    color: var(--inlay-muted);
    font-variant-numeric: tabular-nums;
    margin-inline-start: auto;
    padding-inline-start: calc(var(--inlay-space) * 1.5);
  }
  .legend [aria-pressed='false'] .swatch {
    background: none;
    box-shadow: inset 0 0 0 2px var(--color);
  }
  .swatch {
    flex: none;
    width: 10px;
    height: var(--inlay-legend-swatch);
    border-radius: var(--inlay-legend-round);
    background-color: var(--color);
  }
  .swatch.pattern {
    width: 22px;
    height: 14px;
    border-radius: calc(var(--inlay-radius-small) / 2);
    --ink: color-mix(in srgb, var(--inlay-items) 45%, transparent);
  }
  .p0 {
    background-image: repeating-linear-gradient(60deg, var(--ink) 0 2px, transparent 2px 6px);
  }
  .p1 {
    background-image: radial-gradient(var(--ink) 30%, transparent 32%);
    background-size: 7px 7px;
  }
  .p2 {
    background-image: repeating-linear-gradient(-45deg, var(--ink) 0 3px, transparent 3px 6px);
  }
  .p3 {
    background-image: conic-gradient(var(--ink) 25%, transparent 0 50%, var(--ink) 0 75%, transparent 0);
    background-size: 8px 8px;
  }
  .p4 {
    background-image: repeating-linear-gradient(45deg, var(--ink) 0 1px, transparent 1px 4px);
  }
  .p5 {
    background-image: conic-gradient(from 150deg at 50% 20%, var(--ink) 60deg, transparent 0);
    background-size: 9px 9px;
  }
  @container (min-aspect-ratio: 13 / 10) {
    .layout.side {
      flex-direction: row-reverse;
      justify-content: center;
      gap: calc(var(--inlay-space) * 4);
    }
    .side > .plot {
      flex: 0 1 100cqh;
    }
    .side > .legend {
      max-height: 100%;
      max-width: 50%;
      align-self: center;
    }
    .side > .legend ul {
      flex-direction: column;
    }
  }
`;
