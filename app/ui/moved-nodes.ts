/**
 * Page translators and extensions move or replace React's nodes. React would then remove a node from a parent that no
 * longer has it, or insert before such a node, which throws and ends in the error page:
 * https://github.com/facebook/react/issues/11538. From now on such a node is removed from where it is, and a node that
 * would stand before it stands before its wrapper, or last if it is gone.
 */
export function tolerateMovedNodes(prototype: Pick<Node, "removeChild" | "insertBefore"> = Node.prototype): void {
  const { removeChild, insertBefore } = prototype;
  prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode) removeChild.call(child.parentNode, child);
    return child;
  };
  prototype.insertBefore = function <Added extends Node>(this: Node, added: Added, next: Node | null): Added {
    let place = next;
    while (place && place.parentNode !== this) place = place.parentNode;
    insertBefore.call(this, added, place);
    return added;
  };
}
