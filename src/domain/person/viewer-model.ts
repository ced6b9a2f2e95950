import type { DeveloperId } from "../../contract/ids.ts";
import { type Developer, privateName } from "./model.ts";

/**
 * What one person may know of what others do (ID15, ID22). Every developer's name that leaves the house passes here,
 * and every word of somebody's record: outside this noun nobody asks who is private.
 */
export class Viewer {
  readonly #people: ReadonlyMap<string, Person>;
  readonly #id: DeveloperId;

  constructor(people: ReadonlyMap<string, Person>, id: DeveloperId) {
    this.#people = people;
    this.#id = id;
  }

  isSelf(id: DeveloperId | null): boolean {
    return id === this.#id;
  }

  /** The handle, or the name that stands for everyone who is private; somebody unknown is private to be safe. */
  nameOf(id: DeveloperId | null): string {
    const person = this.#people.get(id ?? "");
    return person === undefined || this.#isHidden(person) ? privateName : person.handle;
  }

  /** What may be seen of something that is these people's: nothing where one of them is hidden. */
  of(...owned: readonly [Owned, ...Owned[]]): Sight {
    const [{ developerId }] = owned;
    const isHidden = owned.some((one) => !this.knows(one));
    return new Sight({
      isHidden,
      isOwn: this.isSelf(developerId),
      owner: isHidden ? privateName : this.nameOf(developerId),
    });
  }

  /**
   * How much may be seen of what happens between these, null for nobody: all of it by one of them or where none is
   * hidden; who it is between where not all are; else nothing.
   */
  between(ends: readonly (Owned | null)[]): "all" | "ends" | "nothing" {
    const isOpen = (end: Owned | null): boolean => end === null || this.knows(end);
    if (ends.every(isOpen) || ends.some((end) => end !== null && this.isSelf(end.developerId))) return "all";
    return ends.some(isOpen) ? "ends" : "nothing";
  }

  /** Whether it is of somebody who may be known to have it. */
  knows({ developerId }: Owned): boolean {
    const person = this.#people.get(developerId);
    return person !== undefined && !this.#isHidden(person);
  }

  /** Those whose owners may be known to have them. */
  known<One extends Owned>(all: readonly One[]): One[] {
    return all.filter((one) => this.knows(one));
  }

  /** Whether an id, of whatever noun it is, is that of somebody this viewer must not know. */
  isPrivatePerson(id: unknown): boolean {
    const person = typeof id === "string" ? this.#people.get(id) : undefined;
    return person !== undefined && this.#isHidden(person);
  }

  /** Everybody this viewer must not know, for sums that would tell of them. */
  listHidden(): DeveloperId[] {
    return [...this.#people.values()].filter((person) => this.#isHidden(person)).map(({ id }) => id);
  }

  #isHidden({ id, isPrivate }: Person): boolean {
    return isPrivate && id !== this.#id;
  }
}

type Person = Pick<Developer, "id" | "handle" | "isPrivate">;

/** A record that is somebody's. */
interface Owned {
  readonly developerId: DeveloperId;
}

export const isSameOwner = (one: Owned, other: Owned): boolean => one.developerId === other.developerId;

/** One record as one viewer sees it. */
export class Sight {
  /** Nothing of it may be shown but that it is there. */
  readonly isHidden: boolean;
  readonly isOwn: boolean;
  /** Whose it is, by name. */
  readonly owner: string;

  constructor({ isHidden, isOwn, owner }: { isHidden: boolean; isOwn: boolean; owner: string }) {
    this.isHidden = isHidden;
    this.isOwn = isOwn;
    this.owner = owner;
  }

  /** A title, or what stands in the place of every hidden one. */
  title<Text extends string | null>(text: Text): Text | typeof privateName {
    return this.isHidden ? privateName : text;
  }

  value<Value>(value: Value): Value | null {
    return this.isHidden ? null : value;
  }

  list<One>(all: readonly One[]): One[] {
    return this.isHidden ? [] : [...all];
  }
}

/** Everybody, as any of them may be shown the others. */
export class Directory {
  readonly #people: ReadonlyMap<string, Person>;

  constructor(developers: readonly Developer[]) {
    this.#people = new Map(developers.map(({ id, handle, isPrivate }) => [id, { id, handle, isPrivate }]));
  }

  viewer(id: DeveloperId): Viewer {
    return new Viewer(this.#people, id);
  }
}
