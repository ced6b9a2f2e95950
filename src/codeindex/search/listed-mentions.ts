/** A path or a dotted name that a text mentions, part by part. */
export interface Mention {
  readonly kind: "path" | "module" | "import";
  readonly parts: readonly string[];
}

interface Mentions {
  readonly named: readonly Mention[];
  /** Stack traces, each from where it went wrong outwards. */
  readonly traces: readonly (readonly Mention[])[];
}

const mostMentions = 400;
/** Lines of code stand between the calls of a trace. */
const mostBetween = 12;

/** Endings are listed, since `module.name` would be a file as well; a length, since endless runs would be read again and again. */
const pathPattern =
  /[\w.\-/\\]{1,256}\.(?:py|pyx|pyi|go|rs|java|kt|scala|tsx?|jsx?|mjs|cjs|vue|svelte|rb|php|cs|cc?|cpp|cxx|hh?|hpp|swift|sh|css|scss|html)\b/g;
const dottedPattern = /\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+/g;
/** `File "a.py", line 3, in run`, `a.py:3: Error`, `a.py in run`, `at run (a.js:3:1)`. */
const framePattern = /\.\w{1,8}", line \d|^\s*at [\w.$<>/]+|^[\s>|]*[\w.\-~/\\]+\.pyx?(?::\d+| in |\(\d+\))/;
const importPattern = /^[\s>.]*(?:In \[\d+\]:\s*)?(?:import\s|from\s+\S+\s+import\b|use\s+\w+::)/;
/** Another trace begins: the cause of the one before, or what happened after it. */
const beginning = /^Traceback |^During handling of|^The above exception|^Caused by:/;

/** What a text names that may be a file. */
export function listMentions(text: string): Mentions {
  const named = new Map<string, Mention>();
  const traces: Mention[][] = [];
  let trace: Mention[] | undefined;
  let between = 0;
  for (const line of text.split(/\r?\n/)) {
    if (named.size >= mostMentions) break;
    between += 1;
    if (beginning.test(line) || between > mostBetween) trace = undefined;
    const mentions = listInLine(line);
    const call = framePattern.test(line) ? mentions.at(0) : undefined;
    if (!call) for (const mention of mentions) named.set(`${mention.kind} ${mention.parts.join("/")}`, mention);
    else {
      if (!trace) {
        trace = [];
        traces.push(trace);
      }
      if (trace.length < mostMentions) addCall(trace, call, line);
      between = 0;
    }
  }
  return { named: [...named.values()], traces };
}

/** Python tells the innermost call last, others first. */
function addCall(trace: Mention[], call: Mention, line: string): void {
  if (/\.pyx?\b/.test(line)) trace.unshift(call);
  else trace.push(call);
}

function listInLine(line: string): Mention[] {
  const isImport = importPattern.test(line);
  const paths = [...line.matchAll(pathPattern)].map(([path]) => path);
  const names = [...line.matchAll(dottedPattern)].map(([name]) => name).filter((name) => !paths.includes(name));
  const mentions = [
    ...paths.map((path): Mention => ({ kind: isImport ? "import" : "path", parts: partsOfPath(path) })),
    ...names.map((name): Mention => ({ kind: isImport ? "import" : "module", parts: name.split(/\.|::/) })),
  ];
  // `at org.example.Store.read(Store.java:12)`: the longest says most.
  return mentions.filter(({ parts }) => parts.length > 0).sort((one, other) => other.parts.length - one.parts.length);
}

const partsOfPath = (path: string): string[] =>
  path
    .replace(/\.[a-z]+$/, "")
    .split(/[/\\]/)
    .filter((part) => !/^\.*$/.test(part));
