/** A piece of each language that is parsed, with what must be found in it. */

interface Sample {
  readonly path: string;
  readonly text: string;
  readonly chunks: readonly string[];
  readonly imports: readonly string[];
  readonly header?: Readonly<Record<string, string>>;
  /** Lists must be contained, anything else must be equal. */
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const samples: readonly Sample[] = [
  {
    path: "src/queue.ts",
    text: `import { open as openFile } from "node:fs";
import type { Job } from "./job.ts";

/** Keeps jobs. */
@Injectable()
export class Queue extends Store<Job> implements Closable {
  private jobs: Job[] = [];

  async push(job: Job, { urgent, late = 2 }: Options, ...rest: string[]): Promise<number> {
    if (urgent) this.jobs.unshift(job);
    else this.size += 1;
    const first = this.jobs;
    await this.flush(job);
    for (const one of rest) {
      if (!one) continue;
      break;
    }
    throw new QueueError("full");
  }

  *#drain() {
    yield this.jobs.pop();
  }
}

export interface Options {
  urgent: boolean;
}

type Id = string;

const pick = (list: Id[]) => list[0] ?? first(list);
`,
    chunks: [
      "file  1-2",
      "class Queue 4-7",
      "method push 9-19",
      "method #drain 21-24",
      "interface Options 26-28",
      "type Id 30-30",
      "function pick 32-32",
    ],
    imports: ["node:fs", "./job.ts"],
    header: { push: "export class Queue extends Store<Job> implements Closable", pick: "" },
    facts: {
      Queue: {
        extends: ["Store", "Closable"],
        decorator: ["Injectable"],
        visibility: ["public"],
        inferredType: ["Job[]"],
      },
      push: {
        ...{ param: ["job", "urgent", "rest"], returnType: ["Promise<number>"], throws: ["QueueError"] },
        ...{
          awaits: ["this.flush"],
          calls: ["this.jobs.unshift", "unshift", "QueueError"],
          mutates: ["this.jobs", "this.size"],
        },
        ...{
          writes: ["this.size", "first"],
          alias: ["first=this.jobs"],
          reads: ["this.jobs", "urgent"],
          uses: ["jobs", "flush"],
        },
        ...{ async: true, generator: false, branches: 2, loops: 1, breaks: 1, continues: 1, visibility: ["public"] },
      },
      "#drain": { generator: true, async: false, visibility: ["private"] },
      pick: { returns: true, param: ["list"], visibility: ["private"], calls: ["first"] },
    },
  },
  {
    path: "View.tsx",
    text: `export function View({ name }: Props) {
  return <p title={label(name)}>Hello {name}</p>;
}
`,
    chunks: ["function View 1-3"],
    imports: [],
    facts: { View: { param: ["name"], calls: ["label"], returns: true, visibility: ["public"] } },
  },
  {
    path: "old.js",
    text: `const fs = require("fs");
exports.load = function (path, done) {
  let tries = 0;
  while (tries++ < 3) fs.readFile(path, done);
};
class Old extends Base {
  run() {}
}
`,
    chunks: ["file  1-1", "function load 2-5", "class Old 6-6", "method run 7-8"],
    imports: ["fs"],
    facts: {
      load: { param: ["path", "done"], writes: ["tries"], calls: ["fs.readFile"], loops: 1, visibility: ["public"] },
      Old: { extends: ["Base"] },
    },
  },
  {
    path: "tool.py",
    text: `import os, sys as system
from a.b import c as d

@app.route("/x")
async def run(path, limit: int = 2, *args, **kw) -> list[str]:
    """Runs it."""
    total = 0
    total += limit
    cache["x"] = self.y
    for one in args:
        if one: continue
        elif two: break
    try:
        await fetch.get(path)
    except ValueError:
        raise RuntimeError("x")
    return [d(x) for x in kw]

class Tool(Base, Mixin):
    def _each(self):
        yield 1
`,
    chunks: ["file  1-2", "function run 4-17", "class Tool 19-19", "method _each 20-21"],
    imports: ["os", "sys", "a.b", "a.b.c"],
    facts: {
      run: {
        ...{
          param: ["path", "limit", "args", "kw"],
          returnType: ["list[str]"],
          decorator: ["app.route"],
          throws: ["RuntimeError"],
        },
        ...{ awaits: ["fetch.get"], writes: ["total", "cache"], mutates: ["cache"], calls: ["fetch.get", "get", "d"] },
        ...{
          async: true,
          returns: true,
          branches: 3,
          loops: 1,
          breaks: 1,
          continues: 1,
          inferredType: ["int", "number"],
        },
      },
      Tool: { extends: ["Base", "Mixin"], visibility: ["public"] },
      _each: { generator: true, visibility: ["protected"] },
    },
  },
  {
    path: "store.go",
    text: `package store

import (
	"fmt"
	str "strings"
)

// Store keeps values.
type Store struct {
	values map[string]string
}

func (s *Store) Get(key string, rest ...int) (string, error) {
	value := s.values
	s.hits++
	for range rest {
		if key == "" {
			continue
		}
	}
	fmt.Println(str.ToUpper(key))
	return key, nil
}
`,
    chunks: ["file  1-6", "class Store 8-11", "method Get 13-23"],
    imports: ["fmt", "strings"],
    facts: {
      Get: {
        ...{
          param: ["key", "rest"],
          returnType: ["(string, error)"],
          visibility: ["public"],
          calls: ["fmt.Println", "str.ToUpper"],
        },
        ...{
          writes: ["value", "s.hits"],
          mutates: ["s.hits"],
          alias: ["value=s.values"],
          branches: 1,
          loops: 1,
          continues: 1,
        },
      },
    },
  },
  {
    path: "lib.rs",
    text: `use std::collections::{HashMap, hash_map::Entry};

/// A store.
#[derive(Debug)]
pub struct Store { pub size: u32 }

impl Reader for Store {
    pub async fn read(&mut self, mut count: u32) -> Result<u8, Error> {
        let total: u8 = 1;
        self.size = total;
        open::file(count).await?;
        match count { 1 => {}, _ => {} }
        loop { break; }
        Ok(1)
    }
}
`,
    chunks: ["file  1-1", "class Store 3-5", "class Store 7-7", "method read 8-16"],
    imports: ["std::collections", "std::collections::HashMap", "std::collections::hash_map::Entry"],
    header: { read: "impl Reader for Store" },
    facts: {
      Store: { decorator: ["derive"], visibility: ["public"] },
      read: {
        ...{
          param: ["count"],
          returnType: ["Result<u8, Error>"],
          awaits: ["open::file"],
          calls: ["open::file", "file"],
        },
        ...{
          mutates: ["self.size"],
          async: true,
          returns: true,
          branches: 2,
          loops: 1,
          breaks: 1,
          inferredType: ["u8"],
        },
      },
    },
  },
  {
    path: "Foo.java",
    text: `package a.b;
import java.util.List;
/** Doc. */
@Service("x")
public class Foo<T> extends Bar<T> implements Baz {
  private int size = 1;

  @Override
  protected <R> List<R> run(final String a, int... b) throws IOException {
    for (int i = 0; i < 2; i++) { if (i == 1) continue; }
    this.size = 2;
    List<String> list = new ArrayList<>();
    try { open(a); } catch (Exception e) { throw new FooException(e); }
    return list.stream().toList();
  }
}
`,
    chunks: ["file  1-2", "class Foo 3-6", "method run 8-16"],
    imports: ["java.util.List"],
    facts: {
      Foo: { extends: ["Bar", "Baz"], decorator: ["Service"], visibility: ["public"] },
      run: {
        ...{
          param: ["a", "b"],
          returnType: ["List<R>"],
          throws: ["IOException", "FooException"],
          decorator: ["Override"],
        },
        ...{ calls: ["ArrayList", "open", "list.stream", "toList"], mutates: ["this.size"], visibility: ["protected"] },
        ...{ branches: 2, loops: 1, continues: 1, returns: true, inferredType: ["List<String>", "ArrayList"] },
      },
    },
  },
  {
    path: "Foo.cs",
    text: `using System.Text;
namespace A.B {
  [Serializable]
  public class Foo : Bar, IBaz {
    [HttpGet]
    internal async Task<int> Run(string a, int b = 2) {
      var x = await Fetch(a.Length);
      this.count += 1;
      foreach (var q in w) { if (q == null) continue; else break; }
      throw new InvalidOperationException("a");
    }
  }
}
`,
    chunks: ["file  1-1", "file  2-2", "class Foo 3-4", "method Run 5-13"],
    imports: ["System.Text"],
    header: { Run: "namespace A.B › public class Foo : Bar, IBaz" },
    facts: {
      Foo: { extends: ["Bar", "IBaz"], decorator: ["Serializable"] },
      Run: {
        ...{ param: ["a", "b"], returnType: ["Task<int>"], throws: ["InvalidOperationException"], awaits: ["Fetch"] },
        ...{
          writes: ["x", "this.count"],
          async: true,
          branches: 1,
          loops: 1,
          breaks: 1,
          continues: 1,
          visibility: ["internal"],
        },
      },
    },
  },
  {
    path: "foo.cpp",
    text: `#include <vector>
#include "a.h"
template <typename T>
class Foo : public Bar, private Baz<T> {
public:
  int get(const std::string& s, int* p = nullptr) const { return x; }
};
int Foo::run(int a) {
  p->next = 4;
  for (auto& z : w) { if (a) break; }
  throw std::runtime_error("x");
}
`,
    chunks: ["file  1-2", "class Foo 3-5", "method get 6-7", "method run 8-12"],
    imports: ["vector", "a.h"],
    facts: {
      Foo: { extends: ["Bar", "Baz"] },
      get: { param: ["s", "p"], returnType: ["int"], returns: true },
      run: { mutates: ["p->next"], throws: ["std::runtime_error"], branches: 1, loops: 1, breaks: 1, param: ["a"] },
    },
  },
  {
    path: "list.h",
    text: "static void *find(struct node *list, int key)\n{\n  return list->next;\n}\n",
    chunks: ["function find 1-4"],
    imports: [],
    facts: { find: { param: ["list", "key"], reads: ["list->next"], returns: true } },
  },
  {
    path: "K.php",
    text: `<?php
use Foo\\Bar as B;
use Foo\\{C, D};
#[Route("/x")]
abstract class K extends P implements I {
  public static function run(string $a, ?int &$b = null): ?array {
    $this->n = 2;
    foreach ($w as $k => $v) { if ($k) continue; elseif ($v) break; }
    $o = new B($a);
    exec($_GET['a']);
    throw new \\RuntimeException("x");
  }
}
`,
    chunks: ["file  1-3", "class K 4-5", "method run 6-13"],
    imports: ["Foo\\Bar", "Foo\\C", "Foo\\D"],
    facts: {
      K: { extends: ["P", "I"], decorator: ["Route"] },
      run: {
        ...{
          param: ["a", "b"],
          returnType: ["?array"],
          throws: ["RuntimeException"],
          visibility: ["public"],
          calls: ["B", "exec"],
        },
        ...{
          mutates: ["$this->n"],
          writes: ["$o"],
          inferredType: ["B", "string"],
          riskFlow: ["$_GET->exec"],
          branches: 2,
          loops: 1,
        },
      },
    },
  },
  {
    path: "foo.rb",
    text: `require "json"
# Doc.
class Foo < Bar
  def run(a, b = 2, *c, d: 1)
    @size = a
    items.each do |i| next if i end
    while a do break end
    raise ArgumentError, "x"
  end
end
`,
    chunks: ["file  1-1", "class Foo 2-3", "method run 4-10"],
    imports: ["json"],
    facts: {
      Foo: { extends: ["Bar"] },
      run: {
        ...{ param: ["a", "b", "c", "d"], writes: ["@size"], alias: ["@size=a"], throws: ["ArgumentError"] },
        ...{ calls: ["items.each", "each"], branches: 1, loops: 1, breaks: 1, continues: 1 },
      },
    },
  },
  {
    path: "run.sh",
    text: `#!/bin/bash
source ./lib.sh
# Runs it all.
run() {
  local target=$1
  for i in a b; do continue; done
  if [ -f "$target" ]; then grep x "$target"; fi
  return 1
}
`,
    chunks: ["file  1-2", "function run 3-9"],
    imports: ["./lib.sh"],
    facts: {
      run: {
        calls: ["grep"],
        writes: ["target"],
        reads: ["$target"],
        branches: 1,
        loops: 1,
        continues: 1,
        returns: true,
      },
    },
  },
  {
    path: "site.css",
    text: '@import "base.css";\n.card {\n  color: red;\n  margin: 0;\n  padding: 0;\n  border: 0;\n  top: 0;\n  left: 0;\n}\n',
    chunks: ["file  1-1", "data .card 2-9"],
    imports: ["base.css"],
    facts: { ".card": { branches: undefined } },
  },
];
