import { Fragment, type ReactNode } from "react";
import { type Block, parseBlocks, parseSpans, type Span } from "./markdown-model.ts";
import "./markdown.css";

/**
 * What agents and people wrote, as Markdown without raw HTML. Everything ends up as text or as one of a few elements;
 * links lead to http and https only, and pictures are never loaded.
 */
export function Markdown({ text }: { text: string }) {
  return <div className="markdown">{parseBlocks(text).map(renderBlock)}</div>;
}

/** One line of it: code, emphasis and links only. */
export const Inline = ({ text }: { text: string }): ReactNode => parseSpans(text).map(renderSpan);

function renderBlock(block: Block, place: number): ReactNode {
  switch (block.kind) {
    case "heading":
      return (
        <p key={place} className="md-heading">
          <Inline text={block.text} />
        </p>
      );
    case "code":
      return (
        <pre key={place}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return <blockquote key={place}>{block.blocks.map(renderBlock)}</blockquote>;
    case "list": {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text is parsed anew as a whole, its parts have no identity.
        <li key={index}>
          <Inline text={item} />
        </li>
      ));
      return block.isOrdered ? <ol key={place}>{items}</ol> : <ul key={place}>{items}</ul>;
    }
    case "rule":
      return <hr key={place} />;
    case "paragraph":
      return (
        <p key={place}>
          <Inline text={block.text} />
        </p>
      );
  }
}

function renderSpan(span: Span, place: number): ReactNode {
  switch (span.kind) {
    case "code":
      return <code key={place}>{span.text}</code>;
    case "strong":
      return <strong key={place}>{span.text}</strong>;
    case "emphasis":
      return <em key={place}>{span.text}</em>;
    case "link":
      return (
        <a key={place} href={span.href} target="_blank" rel="noopener noreferrer nofollow">
          {span.text}
        </a>
      );
    case "text":
      return <Fragment key={place}>{span.text}</Fragment>;
  }
}
