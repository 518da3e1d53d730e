import { css } from 'lit';

/** Styles of numbers. A number is as large as the card allows; cards of little height hide its details. */
export const figureStyles = css`
  .figure {
    height: 100%;
    display: flex;
    flex-direction: column;
    justify-content: center;
    align-items: var(--inlay-figure-align);
    gap: 2px;
    container-type: size;
    overflow: hidden;
    font-variant-numeric: tabular-nums;
  }
  .figure > * {
    flex: none;
    max-width: 100%;
  }
  /* The number is no higher than what the lines below it leave. */
  .figure strong {
    --below: 40px;
    font-size: clamp(
      18px,
      min(44cqh, calc(150cqw / var(--digits)), calc((100cqh - var(--below)) / 1.15)),
      var(--inlay-figure)
    );
    line-height: 1.15;
    color: var(--inlay-text);
    white-space: nowrap;
    letter-spacing: -0.01em;
  }
  .figure .short {
    display: none;
  }
  .figure .note,
  .figure .change {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .figure .change {
    font-size: calc(var(--inlay-small) + 1px);
  }
  .good {
    color: var(--inlay-positive);
    font-weight: 600;
  }
  .bad {
    color: var(--inlay-negative);
    font-weight: 600;
  }
  .figure svg {
    width: 100%;
    flex: 0 1 64px;
    min-height: 0;
    margin-block-start: calc(var(--inlay-space) * 1.5);
  }
  .target {
    width: 100%;
    display: grid;
    gap: 2px;
    margin-block-start: var(--inlay-space);
  }
  .track {
    height: 6px;
    border-radius: calc(var(--inlay-radius-small) * 0.75);
    background: var(--inlay-line);
    overflow: hidden;
  }
  .track div {
    height: 100%;
  }
  .figure.aimed strong {
    --below: 78px;
  }
  @container (max-height: 108px) {
    .figure svg,
    .figure.aimed .period {
      display: none;
    }
    .figure.aimed strong {
      --below: 58px;
    }
  }
  @container (max-height: 86px) {
    .figure .target .note {
      display: none;
    }
    .figure.aimed strong {
      --below: 36px;
    }
  }
  @container (max-height: 74px) {
    .figure .period {
      display: none;
    }
    .figure:not(.aimed) strong {
      --below: 20px;
    }
  }
  @container (max-height: 46px) {
    .figure strong,
    .figure.aimed strong {
      --below: 0px;
    }
    .figure .change,
    .figure .target {
      display: none;
    }
  }
  @container (max-width: 110px) {
    .figure .whole {
      display: none;
    }
    .figure .short {
      display: inline;
    }
  }
`;
