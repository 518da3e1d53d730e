const refusedText =
  /url\s*\(|image-set|image\s*\(|src\s*\(|cross-fade|element\s*\(|expression|-moz-binding|behavior|javascript:|@import|\\/iu;

/**
 * Returns the style and media rules. Leaves out declarations that load resources or affect anything outside the
 * element.
 */
function keep(rules: CSSRuleList): readonly string[] {
  return Array.from(rules).flatMap((rule) => {
    if (rule instanceof CSSMediaRule) {
      const innerRules = keep(rule.cssRules);
      return innerRules.length === 0 || refusedText.test(rule.conditionText)
        ? []
        : [`@media ${rule.conditionText} { ${innerRules.join(' ')} }`];
    }
    if (
      !(rule instanceof CSSStyleRule) ||
      refusedText.test(rule.selectorText) ||
      /:host|::slotted|:root/iu.test(rule.selectorText)
    )
      return [];
    const declarations = Array.from(rule.style).flatMap((name) => {
      const value = rule.style.getPropertyValue(name);
      if (refusedText.test(value) || (name === 'position' && /fixed|sticky/iu.test(value))) return [];
      return [`${name}: ${value}${rule.style.getPropertyPriority(name) === '' ? '' : ' !important'};`];
    });
    return declarations.length === 0 ? [] : [`${rule.selectorText} { ${declarations.join(' ')} }`];
  });
}

/**
 * Converts a dashboard's custom CSS to a style sheet for its shadow root. The browser parses the CSS, so malformed
 * rules cannot affect other rules. Removes everything that could load resources, cover the page or reach outside the
 * shadow root.
 */
export function scopedSheet(css: string): CSSStyleSheet {
  const source = new CSSStyleSheet();
  source.replaceSync(css.slice(0, 65_536));
  const safeSheet = new CSSStyleSheet();
  safeSheet.replaceSync(keep(source.cssRules).join('\n'));
  return safeSheet;
}
