import { type FlowValue, readCondition, type VariableType } from '#contract/flow/condition.ts'
import type { FlowNode, FlowVariable, PeopleRule, ProcessGraph, SignRule } from '#contract/flow/process-graph.ts'
import { type Label, label } from '#contract/kernel/label.ts'

// A straight approval: step after step, some of them only under a condition. It is edited as a list and kept as the BPMN it means, so that what
// the list cannot say is drawn on.

export const comparisons = ['==', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof comparisons)[number]

/** A step is taken only if this holds. */
export interface OnlyIf {
  readonly variable: string
  readonly by: Comparison
  readonly value: string
}
export interface StraightStep {
  readonly name: string
  readonly who: readonly PeopleRule[]
  readonly sign: SignRule | null
  readonly share: number
  /** Null: no time limit. */
  readonly dueHours: number | null
  /** Nobody who has decided at another step. */
  readonly otherPerson: boolean
  readonly only: OnlyIf | null
}
export interface Straight {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly variables: readonly FlowVariable[]
  readonly steps: readonly StraightStep[]
  /** What a refusal does: back to the applicant, who mends it, or the end of the process. */
  readonly onRefuse: 'return' | 'end'
}

export const flowableNamespace = 'http://flowable.org/bpmn'
export const ownNamespace = 'urn:kaopu:bpmn'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
const attributes = (of: Readonly<Record<string, string | null>>): string =>
  Object.entries(of)
    .map(([name, value]) => (value === null || value === '' ? '' : ` ${name}="${escaped(value)}"`))
    .join('')

/** On a user task: the applicant gets it. */
export const byStarter = `flowable:assignee="\${starter}"`
const ifAgreed = `\${pass == true}`

const personText = ({ kind, ref }: PeopleRule): string =>
  kind === 'starter' || kind === 'manager' ? `\${${kind}}` : kind === 'variable' ? `\${${ref}}` : kind === 'user' ? ref : `${kind}:${ref}`
const isGroup = ({ kind }: PeopleRule): boolean => kind === 'role' || kind === 'post' || kind === 'dept'

/** Who gets a step, in the attributes of a user task: one person has it at once, of several whoever claims it, or all where they sign together. */
export const peopleAttributes = (who: readonly PeopleRule[]): Readonly<Record<string, string | null>> => {
  const people = who.filter(rule => !isGroup(rule)).map(personText)
  const groups = who.filter(isGroup).map(personText)
  const isOne = people.length === 1 && groups.length === 0
  return {
    'flowable:assignee': isOne ? (people[0] ?? null) : null,
    'flowable:candidateUsers': isOne ? null : people.join(',') || null,
    'flowable:candidateGroups': groups.join(',') || null,
  }
}

const literal = (value: string, type: VariableType | undefined): string =>
  type === 'number' ? String(Number(value)) : type === 'boolean' ? value : `'${value.replaceAll(/['\\]/g, '')}'`
export const conditionText = ({ variable, by, value }: OnlyIf, variables: readonly Pick<FlowVariable, 'name' | 'type'>[]): string =>
  `\${${variable} ${by} ${literal(value, variables.find(each => each.name === variable)?.type)}}`

const signs: Readonly<Record<Comparison, string>> = { '==': '=', '!=': '≠', '<': '<', '<=': '≤', '>': '>', '>=': '≥' }
const yes = label('是', 'yes')
const no = label('否', 'no')
export const agreedWords = label('同意', 'Agreed')
export const refusedWords = label('不同意', 'Refused')
export const otherwiseWords = label('否则', 'Otherwise')
/** A condition as it stands at its line in the picture. */
export const conditionWords = ({ variable, by, value }: OnlyIf, variables: readonly FlowVariable[]): Label => {
  if (variable === 'pass') return (value === 'false') === (by === '==') ? refusedWords : agreedWords
  const known = variables.find(({ name }) => name === variable)
  const said = known?.type === 'boolean' ? (value === 'false' ? no : yes) : { zh: value, en: value }
  const before = `${known?.label || variable} ${signs[by]}`
  return { zh: `${before} ${said.zh}`, en: `${before} ${said.en}` }
}
/** Whether a line says nothing but what its condition says. */
export const isOwnWords = (name: string, words: Label | undefined): boolean => name === '' || name === words?.zh || name === words?.en

const fromValue = (value: FlowValue): string => String(value ?? '')
/** The condition as the list shows it; null for everything but one comparison with a value. */
export const onlyIfOf = (condition: string, variables: readonly FlowVariable[]): OnlyIf | null => {
  const read = readCondition(condition, Object.fromEntries(variables.map(({ name, type }) => [name, type])))
  if ('problem' in read || read.is !== 'compare' || read.left.is !== 'name' || read.right.is !== 'value') return null
  return { variable: read.left.name, by: read.by, value: fromValue(read.right.value) }
}

interface Box {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
const middle = 160
const gap = 60
/** Of a line that words stand at. */
const wideGap = 120
const labelWidth = 100
const labelLine = 14
const refusedY = 290
const skipY = 70

/** Lines of words at a line, as wide as they may be: Chinese is twice as wide. */
const linesOf = (words: string): number => {
  const width = [...words].reduce((sum, sign) => sum + (sign > '\u2E80' ? 11 : 6), 0)
  return Math.ceil(width / (labelWidth - 10))
}

/** The BPMN of the list, with its drawing; branches carry their conditions in the words of `say`. */
export const straightXml = ({ key, name, description, variables, steps, onRefuse }: Straight, say: (label: Label) => string): string => {
  const elements: string[] = []
  const boxes: Box[] = []
  const edges: string[] = []
  let x = 100
  let lines = 0
  const place = (id: string, width: number, height: number, y = middle): Box => {
    const box = { id, x, y: y - height / 2, width, height }
    boxes.push(box)
    return box
  }
  const line = (
    from: Box,
    to: Box,
    options: {
      readonly id?: string
      readonly condition?: string
      readonly words?: Label
      readonly by?: readonly (readonly [number, number])[]
    } = {},
  ): void => {
    const { id = `line${++lines}`, by } = options
    // What leads on from an agreement is not the way of a refusal.
    const isAgreement = from.id.startsWith('agreed') && options.id === undefined
    const condition = options.condition ?? (isAgreement ? ifAgreed : undefined)
    const words = options.words ?? (isAgreement ? agreedWords : undefined)
    const said = words === undefined ? '' : say(words)
    elements.push(
      `<sequenceFlow id="${id}"${attributes({ name: said })} sourceRef="${from.id}" targetRef="${to.id}"${
        condition === undefined
          ? ' />'
          : `><conditionExpression xsi:type="tFormalExpression">${escaped(condition)}</conditionExpression></sequenceFlow>`
      }`,
    )
    const way = by ?? [
      [from.x + from.width, from.y + from.height / 2],
      [to.x, to.y + to.height / 2],
    ]
    edges.push(
      `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}">${way.map(([at, height]) => `<di:waypoint x="${at}" y="${height}" />`).join('')}${said === '' ? '' : labelAt(way, linesOf(said))}</bpmndi:BPMNEdge>`,
    )
  }
  /** Above a level part of the line, or beside the first part of one that goes down. */
  const labelAt = (way: readonly (readonly [number, number])[], lines: number): string => {
    const [[x1, y1] = [0, 0], [x2, y2] = [0, 0], third] = way
    const [left, top] =
      third !== undefined
        ? [x2 + 8, y2 - 4 - lines * labelLine]
        : x1 === x2
          ? [x1 + 8 - labelWidth / 4, (y1 + y2) / 2 - (lines * labelLine) / 2]
          : [(x1 + x2 - labelWidth) / 2, y1 - 4 - lines * labelLine]
    return `<bpmndi:BPMNLabel><dc:Bounds x="${left}" y="${top}" width="${labelWidth}" height="${lines * labelLine}" /></bpmndi:BPMNLabel>`
  }
  elements.push('<startEvent id="start" />')
  let last = place('start', 36, 36)
  x += 36 + gap
  steps.forEach((step, index) => {
    const number = index + 1
    const lead = last
    let split: Box | undefined
    if (step.only !== null) {
      elements.push(`<exclusiveGateway id="only${number}" default="skip${number}" />`)
      split = place(`only${number}`, 50, 50)
      line(lead, split)
      x += 50 + wideGap
    }
    elements.push(
      `<userTask id="step${number}"${attributes({
        name: step.name,
        ...peopleAttributes(step.who),
        'flowable:dueDate': step.dueHours === null ? null : `PT${step.dueHours}H`,
        'kaopu:sign': step.sign,
        'kaopu:share': step.sign === 'share' ? String(step.share) : null,
        'kaopu:other': step.otherPerson ? 'true' : null,
      })} />`,
    )
    const task = place(`step${number}`, 120, 80)
    line(
      split ?? lead,
      task,
      split === undefined || step.only === null
        ? {}
        : { condition: conditionText(step.only, variables), words: conditionWords(step.only, variables) },
    )
    x += 120 + gap
    last = task
    if (onRefuse === 'end') {
      elements.push(`<exclusiveGateway id="agreed${number}" default="refused${number}" />`)
      const gateway = place(`agreed${number}`, 50, 50)
      line(task, gateway)
      elements.push(`<endEvent id="end${number}" />`)
      const end = { id: `end${number}`, x: x + 7, y: refusedY - 18, width: 36, height: 36 }
      boxes.push(end)
      line(gateway, end, {
        id: `refused${number}`,
        words: refusedWords,
        by: [
          [x + 25, middle + 25],
          [x + 25, refusedY - 18],
        ],
      })
      x += 50 + gap
      last = gateway
    }
    if (split !== undefined) {
      elements.push(`<exclusiveGateway id="after${number}" />`)
      const join = place(`after${number}`, 50, 50)
      line(last, join)
      line(split, join, {
        id: `skip${number}`,
        words: otherwiseWords,
        by: [
          [split.x + 25, middle - 25],
          [split.x + 25, skipY],
          [x + 25, skipY],
          [x + 25, middle - 25],
        ],
      })
      x += 50 + gap
      last = join
    }
  })
  elements.push('<endEvent id="end" />')
  const end = place('end', 36, 36)
  line(last, end)
  const declared = variables.map(
    variable =>
      `<kaopu:variable${attributes({ name: variable.name, label: variable.label, type: variable.type, required: String(variable.required) })} />`,
  )
  const shapes = boxes.map(
    box =>
      `<bpmndi:BPMNShape id="${box.id}_di" bpmnElement="${box.id}"><dc:Bounds x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" /></bpmndi:BPMNShape>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:flowable="${flowableNamespace}" xmlns:kaopu="${ownNamespace}" targetNamespace="${ownNamespace}">
<process id="${escaped(key)}" name="${escaped(name)}" isExecutable="true">
${description === '' ? '' : `<documentation>${escaped(description)}</documentation>\n`}${declared.length === 0 ? '' : `<extensionElements>${declared.join('')}</extensionElements>\n`}${elements.join('\n')}
</process>
<bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="${escaped(key)}">
${[...shapes, ...edges].join('\n')}
</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>
`
}

const isAgreed = (condition: string | null): boolean => condition !== null && /^\s*\$\{\s*pass\s*(==\s*true\s*)?\}\s*$/.test(condition)

/** The list that a drawing amounts to; null where it says more than a list can. */
export const straightOf = (graph: ProcessGraph): Straight | null => {
  const { nodes, flows } = graph
  const seen = new Set<string>([graph.start])
  const words = new Map<string, Label>()
  const refusals = new Set<Straight['onRefuse']>()
  const toOf = (line: string | undefined): FlowNode | undefined => nodes[flows[line ?? '']?.to ?? '']
  const visit = (node: FlowNode): FlowNode => {
    seen.add(node.id)
    return node
  }
  const stepOf = ({ name, task }: FlowNode, only: OnlyIf | null): StraightStep | null =>
    task === null || task.remindSeconds !== null || (task.dueSeconds !== null && task.dueSeconds % 3600 !== 0)
      ? null
      : {
          name,
          who: [...(task.assignee === null ? [] : [task.assignee]), ...task.candidates],
          sign: task.sign,
          share: task.share,
          dueHours: task.dueSeconds === null ? null : task.dueSeconds / 3600,
          otherPerson: task.otherPerson === true,
          only,
        }
  /** Where an agreed step leads. */
  const afterTask = (task: FlowNode): FlowNode | undefined => {
    const next = toOf(task.outgoing[0])
    if (next?.type === 'exclusiveGateway' && next.outgoing.length === 2) {
      const agreed = next.outgoing.find(id => isAgreed(flows[id]?.condition ?? null))
      const refused = toOf(next.defaultFlow ?? '')
      if (agreed !== undefined && agreed !== next.defaultFlow) {
        if (refused?.type !== 'endEvent') return undefined
        visit(next)
        visit(refused)
        words.set(agreed, agreedWords)
        words.set(next.defaultFlow ?? '', refusedWords)
        refusals.add('end')
        return toOf(agreed)
      }
    }
    refusals.add('return')
    return next
  }
  const start = nodes[graph.start]
  if (start === undefined || start.timerSeconds !== null) return null
  // The list has no place for words at branches and ends: they would be gone with its first save.
  if (Object.values(nodes).some(({ type, name }) => type !== 'userTask' && name !== '')) return null
  const steps: StraightStep[] = []
  let at = toOf(start.outgoing[0])
  for (;;) {
    if (at === undefined || seen.has(at.id)) return null
    visit(at)
    if (at.type === 'endEvent') break
    if (at.type === 'userTask') {
      const step = stepOf(at, null)
      if (step === null) return null
      steps.push(step)
      at = afterTask(at)
      continue
    }
    if (at.type !== 'exclusiveGateway' || at.outgoing.length !== 2) return null
    const { defaultFlow } = at
    const taken = at.outgoing.find(id => id !== defaultFlow)
    const task = toOf(taken)
    const join = toOf(defaultFlow ?? '')
    const only = onlyIfOf(flows[taken ?? '']?.condition ?? '', graph.variables)
    if (task?.type !== 'userTask' || join?.type !== 'exclusiveGateway' || join.outgoing.length !== 1 || only === null) return null
    const step = stepOf(visit(task), only)
    if (step === null || afterTask(task) !== join) return null
    words.set(taken ?? '', conditionWords(only, graph.variables))
    words.set(defaultFlow ?? '', otherwiseWords)
    steps.push(step)
    visit(join)
    at = toOf(join.outgoing[0])
  }
  const [onRefuse = 'return', other] = [...refusals]
  if (other !== undefined || steps.length === 0 || Object.keys(nodes).some(id => !seen.has(id))) return null
  // Nor for words at lines, but those that say what the condition says.
  if (Object.values(flows).some(line => !isOwnWords(line.name, words.get(line.id)))) return null
  const { key, name, description, variables } = graph
  return { key, name, description, variables, steps, onRefuse }
}
