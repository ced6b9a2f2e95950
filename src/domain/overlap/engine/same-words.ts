import { stem } from "./stem.ts";

/** Short and long forms of one word, and verbs that mean the same at the head of a title; the first stands for all. */
const groups = `
  add implement create introduce
  remove delete drop
  fix repair bugfix hotfix
  update bump
  auth authentication authenticate
  login signin
  logout signout
  config configuration conf
  database db
  repo repository
  doc documentation
  param parameter
  arg argument
  env environment
  app application
  dir directory
  admin administrator administration
  async asynchronous asynchronously
  sync synchronous synchronise synchronize synchronisation synchronization
  perf performance
  dependency dep
  message msg
  error err
  response resp
  request req
  function func fn
  variable var
  information info
  specification spec
  initialize init initialise initialization initialisation
  internationalization i18n internationalisation
  accessibility a11y
  localization l10n localisation
  kubernetes k8s
  javascript js
  typescript ts
  postgres postgresql pg
  certificate cert
  credential cred
  permission perm
  statistic stat stats
  validate validation validator
  paginate pagination
  authorize authorization authorise authorisation authz
  serialize serialization serialise
  migrate migration
  generate generation
  notify notification
  optimize optimization optimise optimisation
  colour color
  behaviour behavior
  cancellation cancel cancelled canceled
  throttle throttling ratelimit
  image img
  temp temporary tmp
  max maximum
  min minimum
  prod production
  dev development
  ui gui
  subscribe subscription
  calculate calculation
  verify verification`;

const byStem = new Map(
  groups
    .split("\n")
    .map((line) =>
      line
        .split(" ")
        .filter((word) => word !== "")
        .map(stem),
    )
    .flatMap(([first = "", ...others]) => others.map((other) => [other, first] as const)),
);

/** The word that stands for this one: `configuration` is `config`. */
export const unify = (term: string): string => byStem.get(term) ?? term;

const phrases =
  /\b(?:(sign|log)[- ](in|out|up|off)|(e)-(mail)|(time)[- ](zone|out|stamp)|(front|back)[- ](end)|(user|file|host)[- ](name)|(data)[- ](base)|(web)[- ](hook|socket)|(read)[- ](me)|(change)[- ](log)|(set)[- ](up))\b/gi;

/** Words that are written as one or as two: sign-in, time zone. */
export const joinPhrases = (text: string): string =>
  text.replace(phrases, (...found: unknown[]) =>
    found
      .slice(1, -2)
      .filter((part) => part !== undefined)
      .join(""),
  );
