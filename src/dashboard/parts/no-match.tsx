/** There is something, and a filter hides all of it: says so, and shows it again. */
export function NoMatch({ what, onClear }: { what: string; onClear(): void }) {
  return (
    <>
      <p className="strong">No {what} match your filters.</p>
      <p>
        <button type="button" onClick={onClear}>
          Clear filters
        </button>
      </p>
    </>
  );
}
