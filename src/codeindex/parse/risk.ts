/**
 * The published table of risk: by name alone, within one chunk. A source is where data from outside comes in, a sink is
 * what such data must not reach unchecked. Where both are found a flow `source->sink` is reported, as a place to look at.
 */

const riskCategories = ["command-injection", "sql-injection", "code-execution", "path-traversal", "xss"] as const;

export type RiskCategory = (typeof riskCategories)[number];

/** The source that a path reads from, or undefined: `req.query.name` reads `req.query`. */
export function sourceOf(path: string): string | undefined {
  if (!firstNames.has(/^[$\w]+/.exec(path)?.[0] ?? "")) return undefined;
  const parts = plainPath(path).split(".");
  return [2, 1].map((length) => parts.slice(0, length).join(".")).find((name) => sources.has(name));
}

/** The sink that a call or an assignment reaches, by its last name and by its last two; undefined for all else. */
export function sinkOf(
  path: string,
): { readonly names: readonly string[]; readonly category: RiskCategory } | undefined {
  if (!lastNames.has(/[$\w]+$/.exec(path)?.[0] ?? "")) return undefined;
  const parts = plainPath(path).split(".").slice(-2);
  const two = parts.join(".");
  const last = parts.at(-1) ?? "";
  const category = sinks.get(two) ?? (parts.length === 1 ? bareSinks.get(last) : undefined) ?? anySinks.get(last);
  return category ? { names: [...new Set([last, two])], category } : undefined;
}

const plainPath = (path: string): string => path.replace(/\?\.|->|::|\\/g, ".").replace(/^[.#]+|[!]$/g, "");

const sources = new Set(
  `req.query req.body req.params req.headers req.cookies req.url req.files request.query request.body request.params
   request.headers request.cookies request.args request.form request.files request.values request.json request.data
   request.GET request.POST request.COOKIES request.META ctx.query ctx.params ctx.request event.body
   event.queryStringParameters location.search location.hash location.href window.location document.location
   document.cookie document.referrer process.argv process.env process.stdin sys.argv sys.stdin os.environ os.getenv
   os.Args os.Getenv env.args std.env r.URL r.Form r.PostForm r.FormValue r.PostFormValue r.Header r.Body
   Request.QueryString Request.Form Request.Query Request.Headers Request.Cookies Console.ReadLine Environment.GetEnvironmentVariable
   System.getenv request.getParameter request.getHeader request.getQueryString request.getCookies request.getInputStream
   params.require $_GET $_POST $_REQUEST $_COOKIE $_FILES $_SERVER gets ARGV raw_input input`.split(/\s+/),
);

/** Most paths are told apart from all of these by one name. */
const firstNames = new Set([...sources].map((name) => name.split(".")[0] ?? ""));

function table(rows: Readonly<Record<RiskCategory, string>>): ReadonlyMap<string, RiskCategory> {
  return new Map(
    riskCategories.flatMap((category) =>
      (rows[category] === "" ? [] : rows[category].split(/\s+/)).map((name) => [name, category] as const),
    ),
  );
}

/** By the last two names. */
const sinks = table({
  "command-injection":
    "child_process.exec child_process.execSync child_process.spawn child_process.spawnSync os.system os.popen subprocess.run subprocess.call subprocess.Popen subprocess.check_output subprocess.check_call exec.Command exec.CommandContext Runtime.exec Process.Start Command.new Open3.capture3 Kernel.system IO.popen",
  "sql-injection":
    "db.query db.exec db.execute db.raw db.Query db.QueryRow db.Exec conn.query conn.execute connection.query connection.execute pool.query client.query cursor.execute cursor.executemany session.execute knex.raw sequelize.query stmt.executeQuery stmt.execute statement.executeQuery statement.execute entityManager.createNativeQuery jdbcTemplate.query pdo.query pdo.exec mysqli.query",
  "code-execution":
    "vm.runInContext vm.runInNewContext vm.runInThisContext vm.Script pickle.loads pickle.load yaml.load marshal.loads importlib.import_module script.eval",
  "path-traversal":
    "fs.readFile fs.readFileSync fs.writeFile fs.writeFileSync fs.createReadStream fs.createWriteStream fs.unlink fs.rm fs.open res.sendFile res.download os.Open os.OpenFile os.ReadFile os.WriteFile os.remove ioutil.ReadFile shutil.copy shutil.rmtree File.ReadAllText File.WriteAllText File.OpenRead File.open File.read Files.readAllBytes Files.newInputStream fs.read_to_string fs.write",
  xss: "document.write document.writeln res.send res.write Response.Write",
});

/** By their only name. */
const bareSinks = table({
  "command-injection": "exec execSync execFile spawn spawnSync system popen passthru shell_exec proc_open execl execv",
  "sql-injection": "mysql_query mysqli_query pg_query",
  "code-execution": "eval Function assert_options create_function instance_eval class_eval",
  "path-traversal":
    "open fopen file_get_contents file_put_contents readfile unlink sendFile readFile readFileSync writeFile writeFileSync createReadStream",
  xss: "",
});

/** By their last name, whatever they are called on. */
const anySinks = table({
  "command-injection": "execSync shell_exec",
  "sql-injection": "executeQuery createNativeQuery executemany rawQuery $queryRawUnsafe $executeRawUnsafe",
  "code-execution": "instance_eval class_eval",
  "path-traversal": "sendFile",
  xss: "innerHTML outerHTML insertAdjacentHTML dangerouslySetInnerHTML html_safe mark_safe bypassSecurityTrustHtml",
});

const lastNames = new Set([...sinks, ...bareSinks, ...anySinks].map(([name]) => name.split(".").at(-1) ?? ""));
