const refused =
  /url\s*\(|image-set|image\s*\(|src\s*\(|cross-fade|element\s*\(|expression|-moz-binding|behavior|javascript:|@import|\\/iu;

/** Keeps style and media rules, without declarations that load resources or escape the element. */
function keep(rules: CSSRuleList): readonly string[] {
  return Array.from(rules).flatMap((rule) => {
    if (rule instanceof CSSMediaRule) {
      const inner = keep(rule.cssRules);
      return inner.length === 0 || refused.test(rule.conditionText)
        ? []
        : [`@media ${rule.conditionText} { ${inner.join(' ')} }`];
    }
    if (
      !(rule instanceof CSSStyleRule) ||
      refused.test(rule.selectorText) ||
      /:host|::slotted|:root/iu.test(rule.selectorText)
    )
      return [];
    const declarations = Array.from(rule.style).flatMap((name) => {
      const value = rule.style.getPropertyValue(name);
      if (refused.test(value) || (name === 'position' && /fixed|sticky/iu.test(value))) return [];
      return [`${name}: ${value}${rule.style.getPropertyPriority(name) === '' ? '' : ' !important'};`];
    });
    return declarations.length === 0 ? [] : [`${rule.selectorText} { ${declarations.join(' ')} }`];
  });
}

/**
 * Converts a dashboard's custom CSS to a sheet for its shadow root. The browser parses it, so malformed rules cannot
 * leak; anything that could load resources, cover the page or reach outside is removed.
 */
export function scopedSheet(css: string): CSSStyleSheet {
  const source = new CSSStyleSheet();
  source.replaceSync(css.slice(0, 65_536));
  const safe = new CSSStyleSheet();
  safe.replaceSync(keep(source.cssRules).join('\n'));
  return safe;
}
