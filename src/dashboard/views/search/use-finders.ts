import { useEffect, useMemo, useState } from "react";
import { hasPatterns, listFinders, type PatternEngine } from "../../../contract/marked-line.ts";

/**
 * What is to stand out in hits. The engine of patterns is loaded for the first of them: with the browser's own a pattern
 * in a link could make the page hang.
 */
export function useFinders(query: string): ReturnType<typeof listFinders> {
  const [engine, setEngine] = useState<PatternEngine>();
  const needsEngine = engine === undefined && hasPatterns(query);
  useEffect(() => {
    if (!needsEngine) return;
    let isOver = false;
    void import("re2js")
      .then(({ RE2JS }) => {
        if (!isOver) setEngine(() => RE2JS);
      })
      // Hits stand for themselves.
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [needsEngine]);
  return useMemo(() => listFinders(query, engine), [query, engine]);
}
