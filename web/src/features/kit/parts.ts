/** The parts of this page and the states each can be put into; the first is the one shown. */
export const parts = {
  list: ['rows'],
  table: ['rows', 'loading', 'busy', 'empty', 'error', 'errorLater', 'long'],
  tree: ['rows', 'loading', 'empty', 'error'],
  side: ['rows'],
  stack: ['rows'],
  form: ['add', 'edit', 'problems', 'tabs'],
  dialog: ['rows'],
  import: ['choose', 'sending', 'retry', 'sendFailed', 'checking', 'wrong', 'clean', 'writing', 'done', 'failed', 'cancelled'],
  export: ['rows', 'empty'],
  upload: ['choose', 'sending', 'retry', 'sendFailed'],
  show: ['rows'],
  chart: ['bar', 'stack', 'line', 'pie', 'empty'],
  state: ['skeleton', 'empty', 'error', 'forbidden'],
  cipher: ['rows'],
} as const

export type Part = keyof typeof parts
export type PartState = (typeof parts)[Part][number]

const isPart = (value: string | null): value is Part => value !== null && value in parts

/** What the address asks for; anything unknown is the first of its kind. */
export const chosenOf = (part: string | null, state: string | null): { readonly part: Part; readonly state: PartState } => {
  const known = isPart(part) ? part : 'list'
  const states: readonly PartState[] = parts[known]
  return { part: known, state: states.find(each => each === state) ?? parts[known][0] }
}

/** What every part is drawn with. */
export interface PartProps {
  readonly state: PartState
}
