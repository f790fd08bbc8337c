import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * A shadow tree in an element, with the rules of the page. CodeMirror adopts constructed style sheets in a shadow tree,
 * which the page's Content-Security-Policy allows; in a document it would add `<style>`, which the policy forbids.
 */
export function useShadow(): {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly shadow: ShadowRoot | undefined;
} {
  const host = useRef<HTMLDivElement>(null);
  const [shadow, setShadow] = useState<ShadowRoot>();
  useLayoutEffect(() => {
    const { current } = host;
    if (current !== null) setShadow(current.shadowRoot ?? shadowOf(current));
  }, []);
  return { host, shadow };
}

function shadowOf(host: HTMLElement): ShadowRoot {
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [pageRules()];
  return shadow;
}

let copy: CSSStyleSheet | undefined;

/** The rules of the page's style sheets, once for all shadow trees. */
function pageRules(): CSSStyleSheet {
  if (copy !== undefined) return copy;
  const rules = Array.from(document.styleSheets).flatMap((sheet) => Array.from(sheet.cssRules));
  copy = new CSSStyleSheet();
  copy.replaceSync(rules.map(({ cssText }) => cssText).join('\n'));
  return copy;
}
