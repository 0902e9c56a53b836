/** How a number was written, which a parser tells beside its value (ES2025). */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown
interface RawJson {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}
const json = JSON as unknown as RawJson

/** Ids of runs exceed 2^53: numbers that would be rounded stay text. */
export const parseWhole = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value,
  )

/** An id of any size as a number of the JSON. */
export const wholeNumber = (id: string): unknown => {
  if (!/^\d{1,19}$/.test(id)) throw new Error(`${id} is no id`)
  return json.rawJSON(id)
}
