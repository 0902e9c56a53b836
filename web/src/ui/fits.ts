/** Widest a letter gets in the type of a list, and what digits and the signs between them take at most, in pixels. */
const letterPx = 14
const digitPx = 9
/** Of the narrowest cell that cuts its text off (`data-table.css`: 240 px on a phone), without its padding. */
const roomPx = 216

/**
 * Whether a text is surely seen whole in a cell of a list. Only the others are given a clip: the browser keeps a layer of its own for
 * each, which costs a page of a hundred rows more than their colours and lines.
 */
export const fitsCell = (content: unknown): boolean => {
  if (typeof content === 'number') return true
  if (typeof content !== 'string') return false
  if (content.length * letterPx <= roomPx) return true
  if (content.length * digitPx > roomPx) return false
  const digits = content.match(/[\d*:. -]/g)?.length ?? 0
  return digits * digitPx + (content.length - digits) * letterPx <= roomPx
}
