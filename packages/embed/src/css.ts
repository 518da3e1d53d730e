const refused =
  /url\s*\(|image-set|image\s*\(|src\s*\(|cross-fade|element\s*\(|expression|-moz-binding|behavior|javascript:|@import|\\/iu;

/** Rules of a style sheet that may be shown: style and media rules, without anything that loads or leaves its place. */
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
 * Custom CSS of a dashboard as a sheet for its shadow root. The browser parses it, so only whole rules come out; what
 * could load from elsewhere, cover the page or reach outside is left out, and the shadow root keeps selectors inside.
 */
export function scopedSheet(css: string): CSSStyleSheet {
  const given = new CSSStyleSheet();
  given.replaceSync(css.slice(0, 65_536));
  const safe = new CSSStyleSheet();
  safe.replaceSync(keep(given.cssRules).join('\n'));
  return safe;
}
