import { type FlowProblem, problemOf } from '#contract/flow/flow-problems.ts'
import { type BpmnElement, type ReadProcess, readProcess } from '#contract/flow/read-process.ts'
import { byStarter, type Straight, straightOf } from './straight.ts'

/** Reads and checks a process while it is edited; the server checks it again before it runs. */
export const readXml = async (xml: string): Promise<ReadProcess> => {
  const { BpmnModdle } = await import('bpmn-moddle')
  const broken = (problem: FlowProblem): ReadProcess => ({ graph: undefined, problems: [problem], key: '', name: '', description: '' })
  try {
    const { rootElement, warnings } = await new BpmnModdle().fromXML(xml)
    const [warning] = warnings
    if (warning !== undefined) return broken(problemOf('unreadable', {}, warning.message.replace(/\s+/g, ' ').slice(0, 120)))
    return readProcess(rootElement as unknown as BpmnElement)
  } catch (error) {
    return broken(problemOf('unreadable', {}, error instanceof Error ? error.message.slice(0, 120) : String(error)))
  }
}

/** What somebody has written beside the steps of a drawing, or into one of them: a list would lose it. */
const notesOf = /<(?:\w+:)?(?:textAnnotation|association|group)\b|<(?:\w+:)?documentation\b[\s\S]*<(?:\w+:)?documentation\b/

/** The list that a process amounts to, also while some of its steps have nobody yet; null where it is more than a list. */
export const readList = async (xml: string): Promise<Straight | null> => {
  if (notesOf.test(xml)) return null
  const { graph, problems } = await readXml(xml)
  if (graph !== undefined) return straightOf(graph)
  if (problems.some(({ reason }) => reason !== 'people')) return null
  const open = new Set(problems.map(({ element }) => element))
  const filled = [...open].reduce((text, id) => text.replace(`<userTask id="${id}"`, `<userTask id="${id}" ${byStarter}`), xml)
  const named = await readXml(filled)
  const straight = named.graph === undefined ? null : straightOf(named.graph)
  return straight && { ...straight, steps: straight.steps.map((step, at) => (open.has(`step${at + 1}`) ? { ...step, who: [] } : step)) }
}
