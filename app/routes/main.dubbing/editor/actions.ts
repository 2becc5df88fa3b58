import type { FieldActions } from "./field-keys";

/** What the field of one line asks for. */
export interface TextActions extends Omit<FieldActions, "onPiece"> {
  onCaret(at: number): void;
  onPasteRows(text: string, from: number, to: number): boolean;
  onPiece(offset: number, rect: DOMRect): void;
}

/** Everything a line can ask of the script; the same object for every draw. */
export interface LineActions {
  fieldOf(id: string): (field: HTMLTextAreaElement | null) => void;
  textOf(id: string): TextActions;
  onRole(id: string): void;
  onDelivery(id: string): void;
  onListen(id: string): void;
  onListenFrom(id: string): void;
  onRetry(id: string): void;
  onReadings(id: string): void;
  onMove(id: string, by: -1 | 1): void;
  onCopy(id: string): void;
  onMergeUp(id: string): void;
  onUntime(id: string): void;
  onRemove(id: string): void;
}
