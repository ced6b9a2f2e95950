import type { PlainReads, PlainWrites } from "../contract/plain-routes.ts";
import type { Input, Output, OutputFor, Route } from "../contract/tool.ts";
import type { ListedTool } from "./catalog.ts";

/** What a program that calls this server is held to by the compiler; there is nothing in it at run time. */

type Tools = { readonly [Tool in ListedTool as Tool["name"]]: Tool };

export type ToolName = keyof Tools;

/** What a tool takes: `InputOf<"task_list">`. */
export type InputOf<Name extends ToolName> = Input<Tools[Name]>;

/** What a tool answers: `AnswerOf<"task_list">`. Of a door, what the operation does that the arguments name. */
export type AnswerOf<Name extends ToolName, Args = InputOf<Name>> = OutputFor<Tools[Name], Args>;

type RoutesOf<Tool> = Tool extends { readonly routes?: infer Routes extends readonly Route[] } ? Routes[number] : never;

type ToolsAt<Method extends Route["method"]> = {
  readonly [Tool in ListedTool as Extract<RoutesOf<Tool>, { method: Method }>["path"]]: Tool;
};

/** The addresses that read, `/api/tasks/:id`, and those that change something. */
export type ReadPath = keyof ToolsAt<"GET"> | keyof PlainReads;
export type WritePath = keyof ToolsAt<"POST"> | keyof PlainWrites;

/** What an address that reads is asked with: the arguments of its tool, the one in the path under `id`. */
export type QueryAt<Path extends ReadPath> = Path extends keyof PlainReads
  ? PlainReads[Path]["query"]
  : Path extends keyof ToolsAt<"GET">
    ? Asked<Input<ToolsAt<"GET">[Path]>, Extract<RoutesOf<ToolsAt<"GET">[Path]>, { path: Path }>>
    : never;

type Asked<Args, At> = At extends { key: infer Key extends keyof Args }
  ? { readonly id: Args[Key] } & Omit<Args, Key | keyof OwnArgs<At>>
  : Args;

type OwnArgs<At> = At extends { args: infer Own } ? Own : object;

export type ReadAt<Path extends ReadPath> = Path extends keyof PlainReads
  ? PlainReads[Path]["answer"]
  : Path extends keyof ToolsAt<"GET">
    ? Output<ToolsAt<"GET">[Path]>
    : never;

export type BodyAt<Path extends WritePath> = Path extends keyof PlainWrites
  ? PlainWrites[Path]["body"]
  : Path extends keyof ToolsAt<"POST">
    ? Input<ToolsAt<"POST">[Path]>
    : never;

export type WrittenAt<Path extends WritePath> = Path extends keyof PlainWrites
  ? PlainWrites[Path]["answer"]
  : Path extends keyof ToolsAt<"POST">
    ? Output<ToolsAt<"POST">[Path]>
    : never;
