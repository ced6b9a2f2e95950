/**
 * Brings an element into view: to the middle of a strip, and no farther than needed in a column. `scrollIntoView` would
 * also make it the place from which Tab goes on in some browsers, past the link that leads to the content.
 */
export function bringIntoView(element: Element | null): void {
  for (let around = element?.parentElement; element && around; around = around.parentElement) {
    const inner = element.getBoundingClientRect();
    const outer = around.getBoundingClientRect();
    if (around.scrollWidth > around.clientWidth) {
      around.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
    }
    if (around.scrollHeight > around.clientHeight) {
      around.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
    }
  }
}
