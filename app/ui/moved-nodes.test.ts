import { expect, test } from "vitest";
import { tolerateMovedNodes } from "./moved-nodes";

/** Refuses what is not its child, as a browser's node does. */
class Tree {
  parentNode: Tree | null = null;
  childNodes: Tree[] = [];
  constructor(
    readonly name: string,
    ...children: Tree[]
  ) {
    for (const child of children) this.insertBefore(child, null);
  }
  insertBefore(added: Tree, next: Tree | null) {
    const at = next ? this.placeOf(next) : this.childNodes.length;
    this.childNodes.splice(at, 0, added);
    added.parentNode = this;
    return added;
  }
  removeChild(child: Tree) {
    this.childNodes.splice(this.placeOf(child), 1);
    child.parentNode = null;
    return child;
  }
  names(): unknown[] {
    return this.childNodes.map((child) => (child.childNodes.length > 0 ? child.names() : child.name));
  }
  private placeOf(child: Tree) {
    const at = this.childNodes.indexOf(child);
    if (at < 0) throw new Error("NotFoundError");
    return at;
  }
}

class Tolerant extends Tree {}
tolerateMovedNodes(Tolerant.prototype as unknown as Node);
const tree = (name: string, ...children: Tree[]) => new Tolerant(name, ...children);

test("a node is removed from its parent, from the wrapper that it was moved to, or not at all if it is gone", () => {
  const [own, wrapped, gone] = [tree("own"), tree("wrapped"), tree("gone")];
  const root = tree("root", own, tree("font", wrapped, tree("other")));
  expect([own, wrapped, gone].map((child) => root.removeChild(child))).toEqual([own, wrapped, gone]);
  expect(root.names()).toEqual([["other"]]);
  expect(() => new Tree("root").removeChild(gone)).toThrow("NotFoundError");
});

test("a node is inserted before its neighbour, before the neighbour's wrapper, or last if the neighbour is gone", () => {
  const [own, wrapped] = [tree("own"), tree("wrapped")];
  const root = tree("root", own, tree("font", tree("outer", wrapped)), tree("end"));
  for (const [name, next] of Object.entries({ a: own, b: wrapped, c: tree("gone"), d: null }))
    root.insertBefore(tree(name), next);
  expect(root.names()).toEqual(["a", "own", "b", [["wrapped"]], "end", "c", "d"]);
});
