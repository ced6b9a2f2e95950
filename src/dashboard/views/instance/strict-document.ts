/**
 * The terminal writes style elements and style attributes, which the page's content policy forbids. While one is open,
 * style elements that scripts make are constructed sheets, and a span's style attribute goes through its style object.
 * Both are allowed by the policy, since no markup that somebody wrote could use them.
 */
export function allowTerminalStyles(): () => void {
  const sheets = new Set<CSSStyleSheet>();
  const make = Document.prototype.createElement;

  function create(this: Document, name: string, options?: ElementCreationOptions): HTMLElement {
    if (name === "style") return sheetElement(sheets, make.call(document, "span"));
    const element = make.call(document, name, options);
    return name === "span" ? withStyleObject(element) : element;
  }

  Object.defineProperty(document, "createElement", { configurable: true, value: create });
  return () => {
    if (document.createElement === create) Reflect.deleteProperty(document, "createElement");
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
  };
}

/** Stands where the style element would, and gives its text to a sheet. */
function sheetElement(sheets: Set<CSSStyleSheet>, place: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  sheets.add(sheet);
  document.adoptedStyleSheets.push(sheet);
  place.hidden = true;
  let text = "";
  Object.defineProperty(place, "textContent", {
    get: () => text,
    set(next: string) {
      text = next;
      sheet.replaceSync(next);
    },
  });
  return place;
}

function withStyleObject(element: HTMLElement): HTMLElement {
  element.setAttribute = (name: string, value: string): void => {
    if (name === "style") element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, name, value);
  };
  return element;
}
