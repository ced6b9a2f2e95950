import { repositoriesReading } from "../../data/repositories.ts";
import { useReading } from "../../data/use-reading.ts";
import { Command } from "../../parts/command.tsx";
import { Show } from "../../parts/states.tsx";

/** The repositories that the crew works in. */
export function Repositories() {
  const shown = useReading(repositoriesReading);
  return (
    <div className="settings-part">
      <Show shown={shown} what="repositories" isEmpty={(list) => list.length === 0} empty={<NoRepositories />}>
        {(list) => (
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Folder</th>
              </tr>
            </thead>
            <tbody>
              {list.map((repository) => (
                <tr key={repository.id}>
                  <th scope="row">{repository.name}</th>
                  <td className="mono small">{repository.path}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Show>
    </div>
  );
}

function NoRepositories() {
  return (
    <>
      <p className="strong">No repositories yet.</p>
      <p>Agents register the repository they work in. To register one yourself, run in its folder:</p>
      <Command text={'crewdeck call repository_register --path "$PWD"'} />
    </>
  );
}
