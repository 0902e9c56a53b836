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

const attributeOf = (text: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(text)?.[1] ?? ''
const standIn = '-'

/** Fields whose label nobody has typed yet get their name as one; `none` has their names. */
const withLabels = (xml: string): { readonly xml: string; readonly none: ReadonlySet<string> } => {
  const none = new Set<string>()
  const filled = xml.replace(/<kaopu:variable\b[^>]*\/>/g, text => {
    if (attributeOf(text, 'label').trim() !== '') return text
    const name = attributeOf(text, 'name')
    none.add(name)
    return text.replace(/ label="[^"]*"/, '').replace('<kaopu:variable', `<kaopu:variable label="${name}"`)
  })
  return { xml: filled, none }
}

/** The list that a process amounts to, also while some of its steps have nobody or no name yet and fields no label; null where it is more than a list. */
export const readList = async (xml: string): Promise<Straight | null> => {
  if (notesOf.test(xml)) return null
  const { xml: labelled, none } = withLabels(xml)
  const { graph, problems } = await readXml(labelled)
  const of = (wanted: FlowProblem['reason']) => new Set(problems.filter(({ reason }) => reason === wanted).map(({ element }) => element))
  const [open, nameless] = [of('people'), of('nodeName')]
  if (graph === undefined && problems.some(({ reason }) => reason !== 'people' && reason !== 'nodeName')) return null
  const filled = [...open].reduce((text, id) => text.replace(`<userTask id="${id}"`, `<userTask id="${id}" ${byStarter}`), labelled)
  const named = [...nameless].reduce((text, id) => text.replace(`<userTask id="${id}"`, `<userTask id="${id}" name="${standIn}"`), filled)
  const read = graph ?? (await readXml(named)).graph
  const straight = read === undefined ? null : straightOf(read)
  return (
    straight && {
      ...straight,
      variables: straight.variables.map(variable => (none.has(variable.name) ? { ...variable, label: '' } : variable)),
      steps: straight.steps.map((step, at) => ({
        ...step,
        ...(open.has(`step${at + 1}`) ? { who: [] } : {}),
        ...(nameless.has(`step${at + 1}`) ? { name: '' } : {}),
      })),
    }
  )
}
