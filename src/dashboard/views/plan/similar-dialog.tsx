import { readSimilar } from "../../data/similar.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { SimilarList } from "../../parts/similar-list.tsx";

/** What the last plan was compared with and not held up for. */
export function SimilarDialog({ onClose }: { onClose(): void }) {
  const { title, similar } = readSimilar();
  return (
    <Dialog title="Nearest work" onClose={onClose}>
      <p className="muted">“{title}” is planned. No close match; one of these may be the same work in other words.</p>
      <SimilarList similar={similar} />
    </Dialog>
  );
}
