import { BpmnModdle } from 'bpmn-moddle'

/** An element as the library gives it: `$type`, its attributes, and those of other vocabularies in `$attrs`. */
interface Element {
  readonly $type: string
  readonly $attrs?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}
export type BpmnFile =
  | { readonly definitions: Element }
  | { readonly problem: 'doctype' | 'duplicateId' | 'reference' | 'unreadable'; readonly what: string }

const moddle = new BpmnModdle()

const problemOf = (message: string): BpmnFile => {
  const duplicate = /duplicate ID <([^>]*)>/.exec(message)?.[1]
  if (duplicate !== undefined) return { problem: 'duplicateId', what: duplicate }
  const reference = /unresolved reference <([^>]*)>/.exec(message)?.[1]
  if (reference !== undefined) return { problem: 'reference', what: reference }
  return { problem: 'unreadable', what: message.replace(/\s+/g, ' ').trim().slice(0, 120) }
}

/** Reads BPMN 2.0. The library only warns of what it cannot read and goes on without it; here every warning refuses the file. */
export const readBpmn = async (xml: string): Promise<BpmnFile> => {
  if (/<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(xml)) return { problem: 'doctype', what: '' }
  try {
    const { rootElement, warnings } = await moddle.fromXML(xml)
    const [warning] = warnings
    return warning === undefined ? { definitions: rootElement as unknown as Element } : problemOf(warning.message)
  } catch (error) {
    return problemOf((error as Error).message)
  }
}
