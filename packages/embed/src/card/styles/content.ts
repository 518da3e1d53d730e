import { css } from 'lit';

/** Texts, images and dividers between charts: frameless, on the page background. */
export const contentStyles = css`
  article.bare {
    background: none;
    border-color: transparent;
    box-shadow: none;
    padding-block: 0;
    --inlay-text: var(--inlay-page-text);
    --inlay-muted: var(--inlay-page-muted);
    --inlay-link: var(--inlay-page-link);
    color: var(--inlay-text);
  }
  .tabs {
    display: flex;
    gap: var(--inlay-space);
    overflow-x: auto;
    border-block-end: 1px solid var(--inlay-line);
  }
  .tabs button {
    flex: none;
    padding: 8px 12px;
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-block-end: 3px solid transparent;
    cursor: pointer;
  }
  .tabs [aria-selected='true'] {
    font-weight: 600;
    border-color: var(--inlay-main);
  }
  .words {
    min-height: 100%;
    display: flex;
    flex-direction: column;
    justify-content: center;
    gap: 0.5em;
    overflow-wrap: anywhere;
  }
  .words.center {
    text-align: center;
  }
  .words.end {
    text-align: end;
  }
  .words p,
  .words blockquote {
    margin: 0;
  }
  .words .h1,
  .words .h2,
  .words .h3 {
    font-weight: 600;
    line-height: 1.25;
  }
  .words .h1 {
    font-size: var(--inlay-h1);
    letter-spacing: -0.01em;
  }
  .words .h2 {
    font-size: var(--inlay-h2);
  }
  .words .h3 {
    font-size: var(--inlay-h3);
  }
  .words .entry {
    display: flex;
    gap: 0.6em;
  }
  .words a {
    color: var(--inlay-link);
  }
  .words code {
    background: var(--inlay-line);
    border-radius: calc(var(--inlay-radius-small) * 0.75);
    padding: 0 0.3em;
  }
  .words blockquote {
    border-inline-start: 3px solid var(--inlay-main);
    padding-inline-start: 0.8em;
    color: var(--inlay-muted);
  }
  .picture {
    width: 100%;
    height: 100%;
    object-fit: contain;
    object-position: left center;
  }
  .picture:dir(rtl) {
    object-position: right center;
  }
  .picture.center {
    object-position: center;
  }
  .picture.end {
    object-position: right center;
  }
  .picture.cover {
    object-fit: cover;
    object-position: center;
  }
  hr {
    width: 100%;
    margin: 0;
    border: 0;
    border-block-start: 1px solid var(--inlay-line);
  }
  hr.divider {
    position: absolute;
    inset-block-start: 50%;
  }
`;
