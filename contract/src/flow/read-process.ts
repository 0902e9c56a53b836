import type { Label } from '../kernel/label.ts'
import { namesIn, readCondition, reservedNames, type VariableType, variableTypes } from './condition.ts'
import { durationSeconds } from './duration.ts'
import { elementName, lineName } from './element-words.ts'
import { maxNodes } from './flow-limits.ts'
import { type FlowProblem, type FlowProblemReason, problemOf } from './flow-problems.ts'
import { blocksOf } from './parallel-blocks.ts'
import {
  type FlowLine,
  type FlowNode,
  type FlowVariable,
  type NodeType,
  type PeopleRule,
  type ProcessGraph,
  type SignRule,
  serviceNames,
  type TaskRule,
} from './process-graph.ts'

/** An element as bpmn-moddle reads it, on the server and in the drawing tool of the browser. */
export interface BpmnElement {
  readonly $type: string
  readonly $attrs?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}
export interface ReadProcess {
  /** Undefined as long as there are problems. */
  readonly graph: ProcessGraph | undefined
  readonly problems: readonly FlowProblem[]
  /** As far as they can be read. */
  readonly key: string
  readonly name: string
  readonly description: string
}

const nodeTypes: Readonly<Record<string, NodeType>> = {
  'bpmn:StartEvent': 'startEvent',
  'bpmn:EndEvent': 'endEvent',
  'bpmn:UserTask': 'userTask',
  'bpmn:ExclusiveGateway': 'exclusiveGateway',
  'bpmn:ParallelGateway': 'parallelGateway',
  'bpmn:ServiceTask': 'serviceTask',
  'bpmn:CallActivity': 'callActivity',
  'bpmn:BoundaryEvent': 'boundaryEvent',
}
const gateways = ['bpmn:InclusiveGateway', 'bpmn:ComplexGateway', 'bpmn:EventBasedGateway']
/** What each kind of element may say; everything else is refused, because it would be drawn and not done. */
const common = ['id', 'name', 'documentation', 'incoming', 'outgoing', 'extensionElements']
const allowed: Readonly<Record<string, readonly string[]>> = {
  'bpmn:Process': [
    'id',
    'name',
    'documentation',
    'isExecutable',
    'extensionElements',
    'flowElements',
    'artifacts',
    'processType',
    'isClosed',
  ],
  'bpmn:StartEvent': [...common, 'eventDefinitions', 'isInterrupting', 'flowable:initiator', 'flowable:formFieldValidation'],
  'bpmn:EndEvent': common,
  'bpmn:UserTask': [
    ...common,
    ...['flowable:assignee', 'flowable:candidateUsers', 'flowable:candidateGroups', 'flowable:dueDate', 'flowable:formFieldValidation'],
    ...['kaopu:sign', 'kaopu:share', 'kaopu:remind', 'kaopu:other'],
  ],
  'bpmn:ExclusiveGateway': [...common, 'default', 'gatewayDirection'],
  'bpmn:ParallelGateway': [...common, 'gatewayDirection'],
  'bpmn:ServiceTask': [...common, 'flowable:delegateExpression', 'implementation'],
  'bpmn:CallActivity': [...common, 'calledElement', 'flowable:inheritVariables'],
  'bpmn:BoundaryEvent': [...common, 'eventDefinitions', 'attachedToRef', 'cancelActivity'],
  'bpmn:SequenceFlow': ['id', 'name', 'documentation', 'extensionElements', 'sourceRef', 'targetRef', 'conditionExpression', 'isImmediate'],
}
/** Drawn and without effect. */
const remarks = ['bpmn:TextAnnotation', 'bpmn:Association', 'bpmn:Group']
const attribute = (element: BpmnElement, name: string): string => {
  const own = element[name] ?? element.$attrs?.[name]
  return typeof own === 'string' || typeof own === 'boolean' || typeof own === 'number' ? String(own) : ''
}
const listOf = (value: unknown): readonly BpmnElement[] => (Array.isArray(value) ? (value as BpmnElement[]) : [])
const at = (element: BpmnElement) => ({ id: attribute(element, 'id'), name: attribute(element, 'name') })
const nodeName = (element: unknown): Label | undefined =>
  typeof element === 'object' && element !== null
    ? elementName((element as BpmnElement).$type, attribute(element as BpmnElement, 'name'))
    : undefined
/** Where a problem is, in words. */
const whereOf = (element: BpmnElement): { readonly id: string; readonly where: Label } => {
  const { id, name } = at(element)
  const isLine = element.$type === 'bpmn:SequenceFlow'
  return {
    id,
    where: isLine ? lineName(name, nodeName(element['sourceRef']), nodeName(element['targetRef'])) : elementName(element.$type, name),
  }
}
const docOf = (element: BpmnElement): string =>
  listOf(element['documentation'])
    .map(each => attribute(each, 'text'))
    .join('\n')
    .trim()
const plainType = (element: BpmnElement): string => element.$type.replace(/^bpmn:/, '')
const keyPattern = /^[A-Za-z_][\w-]{0,59}$/
const namePattern = /^[A-Za-z]\w{0,59}$/
const idPattern = /^\d{1,18}$/

/** What is wrong with a declared field; undefined for one that can stand. */
export const variableFault = ({ name, label }: Pick<FlowVariable, 'name' | 'label'>): 'name' | 'label' | undefined =>
  !namePattern.test(name) || reservedNames.includes(name) ? 'name' : label.trim() === '' || label.length > 60 ? 'label' : undefined

type Tell = (reason: FlowProblemReason, element?: BpmnElement, what?: Parameters<typeof problemOf>[2]) => void

/**
 * What Flowable's own modeler (6.8.0) writes beside an attribute to show it again: whom it chose for `assignee` and the candidates, by which names.
 * The engine reads none of it.
 */
const editorNote = /^modeler:(activiti-idm-|user-info-|group-info-|editor-resource-id$)/

/** Attributes, listeners and extensions that are not known. */
const checkOwn = (element: BpmnElement, tell: Tell, extensions: readonly string[] = []): void => {
  const names = [...Object.keys(element), ...Object.keys(element.$attrs ?? {})].filter(name => !name.startsWith('$') && name !== 'di')
  for (const name of names) if (!(allowed[element.$type] ?? []).includes(name)) tell('attribute', element, name)
  for (const extension of listOf((element['extensionElements'] as BpmnElement | undefined)?.['values'])) {
    if (/listener$/i.test(extension.$type)) tell('listener', element)
    else if (!extensions.includes(extension.$type) && !editorNote.test(extension.$type)) tell('extension', element, extension.$type)
  }
}

const readVariables = (process: BpmnElement, tell: Tell): FlowVariable[] => {
  const variables: FlowVariable[] = []
  for (const one of listOf((process['extensionElements'] as BpmnElement | undefined)?.['values'])) {
    if (one.$type !== 'kaopu:variable') continue
    const [name, label, type] = [attribute(one, 'name'), attribute(one, 'label'), attribute(one, 'type')]
    const isKnown = variableTypes.includes(type as VariableType)
    if (variableFault({ name, label }) !== undefined || !isKnown) tell('variable', process, name || label)
    else if (variables.some(known => known.name === name)) tell('variableTwice', process, name)
    else variables.push({ name, label, type: type as VariableType, required: attribute(one, 'required') === 'true' })
  }
  return variables
}

/** `${starter}` (`$INITIATOR` in drawings of Flowable's modeler), `${manager}`, `${variable}`, an id; `role:…`, `post:…`, `dept:…`, and a name alone is a role. */
const readPerson = (text: string, isGroup: boolean, variables: readonly FlowVariable[]): PeopleRule | 'personVariable' | 'person' => {
  const inner = /^\$\{\s*(\w+)\s*\}$/.exec(text)?.[1]
  if (inner !== undefined && !isGroup) {
    if (inner === 'starter' || inner === 'manager') return { kind: inner, ref: '' }
    return variables.some(({ name, type }) => name === inner && type === 'user') ? { kind: 'variable', ref: inner } : 'personVariable'
  }
  if (!isGroup && text === '$INITIATOR') return { kind: 'starter', ref: '' }
  if (!isGroup) return idPattern.test(text) ? { kind: 'user', ref: text } : 'person'
  const [, kind = 'role', ref = ''] = /^(?:(role|post|dept):)?([\w-]{1,60})$/.exec(text) ?? []
  const isRight = kind === 'role' ? ref !== '' : idPattern.test(ref) || (kind === 'dept' && ref === 'starter')
  return isRight ? { kind: kind as PeopleRule['kind'], ref } : 'person'
}

const readTask = (element: BpmnElement, variables: readonly FlowVariable[], tell: Tell): TaskRule => {
  const people = (name: string, isGroup: boolean): PeopleRule[] =>
    attribute(element, name)
      .split(',')
      .map(text => text.trim())
      .filter(text => text !== '')
      .flatMap(text => {
        const rule = readPerson(text, isGroup, variables)
        if (typeof rule === 'object') return [rule]
        tell(rule, element, text)
        return []
      })
  const [assignee = null] = people('flowable:assignee', false)
  const candidates = [...people('flowable:candidateUsers', false), ...people('flowable:candidateGroups', true)]
  const isNamed = ['flowable:assignee', 'flowable:candidateUsers', 'flowable:candidateGroups'].some(
    name => attribute(element, name).trim() !== '',
  )
  if (!isNamed) tell('people', element)
  const sign = attribute(element, 'kaopu:sign')
  if (!['', 'all', 'any', 'share'].includes(sign)) tell('sign', element)
  const share = attribute(element, 'kaopu:share')
  if (sign === 'share' && !/^([1-9]\d?|100)$/.test(share)) tell('share', element)
  const other = attribute(element, 'kaopu:other')
  if (!['', 'true', 'false'].includes(other)) tell('attribute', element, 'kaopu:other')
  const seconds = (name: string): number | null => {
    const text = attribute(element, name)
    if (text === '') return null
    const read = durationSeconds(text)
    if (read === undefined) tell('duration', element, text)
    return read ?? null
  }
  return {
    assignee,
    candidates,
    sign: sign === '' ? null : (sign as SignRule),
    share: sign === 'share' ? Number(share) : 100,
    dueSeconds: seconds('flowable:dueDate'),
    remindSeconds: seconds('kaopu:remind'),
    ...(other === 'true' ? { otherPerson: true as const } : {}),
  }
}

/** Seconds of the one timer that an event has; null where it has none. */
const readTimer = (element: BpmnElement, tell: Tell): number | null => {
  const [definition, ...more] = listOf(element['eventDefinitions'])
  if (definition === undefined) return null
  const duration = definition['timeDuration'] as BpmnElement | undefined
  const known = ['$type', 'id', 'timeDuration']
  if (more.length > 0 || definition.$type !== 'bpmn:TimerEventDefinition' || Object.keys(definition).some(key => !known.includes(key))) {
    tell('event', element)
    return null
  }
  const text = duration === undefined ? '' : attribute(duration, 'body')
  const seconds = durationSeconds(text)
  if (seconds === undefined) tell('duration', element, text)
  return seconds ?? null
}

const readNode = (
  element: BpmnElement,
  variables: readonly FlowVariable[],
  tell: Tell,
): Omit<FlowNode, 'incoming' | 'outgoing' | 'block'> => {
  const type = nodeTypes[element.$type] as NodeType
  const { id, name } = at(element)
  if (name.length > 100 || ((type === 'userTask' || type === 'callActivity') && name.trim() === '')) tell('nodeName', element)
  checkOwn(element, tell)
  let calls: string | null = null
  if (type === 'serviceTask') {
    const said = attribute(element, 'flowable:delegateExpression')
    calls = /^\$\{\s*(\w+)\s*\}$/.exec(said)?.[1] ?? said
    if (!serviceNames.some(known => known === calls)) tell('service', element, calls)
  }
  if (type === 'callActivity') {
    calls = attribute(element, 'calledElement')
    if (!keyPattern.test(calls)) tell('called', element)
  }
  if (type === 'boundaryEvent') {
    if (listOf(element['eventDefinitions']).length === 0) tell('event', element)
    if (attribute(element, 'cancelActivity') === 'false') tell('nonInterrupting', element)
    if ((element['attachedToRef'] as BpmnElement | undefined)?.$type !== 'bpmn:UserTask') tell('boundary', element)
  }
  return {
    id,
    type,
    name: name.trim(),
    defaultFlow: attributeOfRef(element['default']),
    task: type === 'userTask' ? readTask(element, variables, tell) : null,
    calls,
    timerSeconds: type === 'startEvent' || type === 'boundaryEvent' ? readTimer(element, tell) : null,
    attachedTo: attributeOfRef(element['attachedToRef']),
  }
}
const attributeOfRef = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? attribute(value as BpmnElement, 'id') || null : null

/** How many lines may lead to a node and leave it. */
const checkLines = (node: FlowNode, element: BpmnElement, tell: Tell): void => {
  const [into, out] = [node.incoming.length, node.outgoing.length]
  if (node.type === 'startEvent' && into > 0) tell('startIn', element)
  if (node.type === 'endEvent') {
    if (out > 0) tell('endOut', element)
    return
  }
  if (out === 0) tell('noOut', element)
  const isGateway = node.type === 'exclusiveGateway' || node.type === 'parallelGateway'
  if (!isGateway && out > 1) tell('severalOut', element)
  if (isGateway && into > 1 && out > 1) tell('splitAndJoin', element)
}

const checkConditions = (
  nodes: Readonly<Record<string, FlowNode>>,
  lines: readonly FlowLine[],
  elements: ReadonlyMap<string, BpmnElement>,
  types: Readonly<Record<string, VariableType>>,
  tell: Tell,
): void => {
  for (const node of Object.values(nodes))
    if (node.type === 'exclusiveGateway' && node.outgoing.length > 1 && !node.outgoing.includes(node.defaultFlow ?? ''))
      tell('noDefault', elements.get(node.id))
  for (const line of lines) {
    const from = nodes[line.from]
    const element = elements.get(line.id)
    if (line.condition === null) {
      if (from?.type === 'exclusiveGateway' && from.outgoing.length > 1 && from.defaultFlow !== line.id && from.defaultFlow !== null)
        tell('noCondition', element)
      continue
    }
    if (from?.defaultFlow === line.id) tell('defaultCondition', element)
    else if (from?.type !== 'exclusiveGateway' || from.outgoing.length < 2) tell('conditionPlace', element)
    const read = readCondition(line.condition, types)
    if ('problem' in read) tell('condition', element, read.problem)
  }
}

/** Where one can go from each node: along its lines, and from a task by its timer. */
const nextOf = (
  nodes: Readonly<Record<string, FlowNode>>,
  flows: Readonly<Record<string, FlowLine>>,
): ReadonlyMap<string, readonly string[]> => {
  const boundaries = Object.values(nodes).filter(({ attachedTo }) => attachedTo !== null)
  return new Map(
    Object.values(nodes).map(node => [
      node.id,
      [
        ...node.outgoing.flatMap(flow => flows[flow]?.to ?? []),
        ...boundaries.filter(({ attachedTo }) => attachedTo === node.id).map(({ id }) => id),
      ],
    ]),
  )
}
const reachedFrom = (starts: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> => {
  const seen = new Set(starts)
  const open = [...starts]
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const other of next.get(one) ?? [])
      if (!seen.has(other)) {
        seen.add(other)
        open.push(other)
      }
  return seen
}
/** A node from which one comes back to it without passing a user task. */
const endless = (nodes: Readonly<Record<string, FlowNode>>, next: ReadonlyMap<string, readonly string[]>): string | undefined => {
  const waits = (id: string): boolean => nodes[id]?.type === 'userTask'
  // Kahn's order: what is left when nothing without predecessors is left lies on or behind a loop.
  const counts = new Map(Object.keys(nodes).map(id => [id, 0]))
  for (const [from, others] of next) if (!waits(from)) for (const to of others) counts.set(to, (counts.get(to) ?? 0) + 1)
  const free = [...counts].filter(([, count]) => count === 0).map(([id]) => id)
  const left = new Set(counts.keys())
  for (let one = free.pop(); one !== undefined; one = free.pop()) {
    left.delete(one)
    if (waits(one)) continue
    for (const to of next.get(one) ?? []) {
      const count = (counts.get(to) ?? 0) - 1
      counts.set(to, count)
      if (count === 0) free.push(to)
    }
  }
  return [...left].find(id => !waits(id) && (next.get(id) ?? []).some(to => left.has(to)))
}

const checkWays = (
  graph: Pick<ProcessGraph, 'nodes' | 'flows' | 'start'>,
  elements: ReadonlyMap<string, BpmnElement>,
  tell: Tell,
): void => {
  const { nodes, flows, start } = graph
  const next = nextOf(nodes, flows)
  const back = new Map<string, string[]>()
  for (const [from, others] of next) for (const to of others) back.set(to, [...(back.get(to) ?? []), from])
  const reached = reachedFrom([start], next)
  const ends = Object.values(nodes).filter(({ type }) => type === 'endEvent')
  const leading = reachedFrom(
    ends.map(({ id }) => id),
    back,
  )
  for (const { id, type, outgoing } of Object.values(nodes)) {
    if (!reached.has(id)) tell('unreachable', elements.get(id))
    else if (!leading.has(id) && (outgoing.length > 0 || type === 'endEvent')) tell('noEnd', elements.get(id))
  }
  const looping = endless(nodes, next)
  if (looping !== undefined) tell('loop', elements.get(looping))
}

/**
 * Reads what bpmn-moddle made of a file: the process as it runs, or everything that is wrong with it. What it lets through can be run to an end
 * from every state that it can come to.
 */
export const readProcess = (definitions: BpmnElement): ReadProcess => {
  const problems: FlowProblem[] = []
  const tell: Tell = (reason, element, what) => void problems.push(problemOf(reason, element && whereOf(element), what))
  const roots = listOf(definitions['rootElements'])
  const processes = roots.filter(({ $type }) => $type === 'bpmn:Process')
  for (const root of roots) if (root.$type !== 'bpmn:Process') tell('element', root, plainType(root))
  const [process] = processes
  if (process === undefined || processes.length > 1) {
    tell(process === undefined ? 'noProcess' : 'severalProcesses')
    return { graph: undefined, problems, key: '', name: '', description: '' }
  }
  const { id: key, name: said } = at(process)
  const [name, description] = [said.trim(), docOf(process)]
  if (!keyPattern.test(key)) tell('key', process)
  if (name === '' || name.length > 100) tell('name', process)
  if (description.length > 500) tell('description', process)
  checkOwn(process, tell, ['kaopu:variable'])
  const variables = readVariables(process, tell)
  const elements = new Map<string, BpmnElement>()
  const heads: ReturnType<typeof readNode>[] = []
  const lines: FlowLine[] = []
  const all = listOf(process['flowElements'])
  if (all.filter(({ $type }) => $type !== 'bpmn:SequenceFlow').length > maxNodes) {
    tell('tooMany', process, String(all.length))
    return { graph: undefined, problems, key, name, description }
  }
  for (const artifact of listOf(process['artifacts'])) if (!remarks.includes(artifact.$type)) tell('element', artifact, plainType(artifact))
  for (const element of all) {
    elements.set(at(element).id, element)
    if (element.$type === 'bpmn:SequenceFlow') {
      checkOwn(element, tell)
      const [from, to] = [attributeOfRef(element['sourceRef']), attributeOfRef(element['targetRef'])]
      const condition = element['conditionExpression'] as BpmnElement | undefined
      lines.push({
        ...at(element),
        from: from ?? '',
        to: to ?? '',
        condition: condition === undefined ? null : attribute(condition, 'body'),
      })
      if (condition && attribute(condition, 'language') !== '') tell('attribute', element, 'language')
    } else if (nodeTypes[element.$type] !== undefined) heads.push(readNode(element, variables, tell))
    else if (element.$type === 'bpmn:ScriptTask') tell('script', element)
    else if (gateways.includes(element.$type)) tell('gateway', element)
    else if (element.$type.endsWith('Event')) tell('event', element)
    else tell('element', element, plainType(element))
  }
  const flows = Object.fromEntries(lines.map(line => [line.id, line]))
  const bare = Object.fromEntries(
    heads.map((head): [string, FlowNode] => [
      head.id,
      {
        ...head,
        incoming: lines.filter(({ to }) => to === head.id).map(({ id }) => id),
        outgoing: lines.filter(({ from }) => from === head.id).map(({ id }) => id),
        block: [],
      },
    ]),
  )
  for (const line of lines) if (!Object.hasOwn(bare, line.from) || !Object.hasOwn(bare, line.to)) tell('outside', elements.get(line.id))
  const starts = heads.filter(({ type }) => type === 'startEvent')
  if (starts.length !== 1) tell('startCount', process)
  if (!heads.some(({ type }) => type === 'endEvent')) tell('endCount', process)
  for (const node of Object.values(bare)) {
    const element = elements.get(node.id)
    if (element) checkLines(node, element, tell)
    if (node.attachedTo !== null && heads.some(other => other.attachedTo === node.attachedTo && other.id < node.id))
      tell('secondTimer', element)
    if (node.type === 'callActivity' && node.calls === key) tell('callsItself', element)
  }
  checkConditions(bare, lines, elements, Object.fromEntries(variables.map(one => [one.name, one.type])), tell)
  const start = starts[0]?.id ?? ''
  // Where the lines are wrong already, what follows from them is not said as well.
  if (problems.length > 0) return { graph: undefined, problems, key, name, description }
  checkWays({ nodes: bare, flows, start }, elements, tell)
  const { blocks, open } = blocksOf(bare, flows)
  if (problems.length === 0) for (const id of open) tell('parallel', elements.get(id))
  if (problems.length > 0) return { graph: undefined, problems, key, name, description }
  const nodes = Object.fromEntries(Object.values(bare).map(node => [node.id, { ...node, block: blocks.get(node.id) ?? [] }]))
  return { graph: { key, name, description, variables, start, nodes, flows }, problems, key, name, description }
}

/** Whether a refusal at this step has a way of its own in the drawing: the gateway behind it asks for `pass`. */
export const decidesOnPass = (graph: ProcessGraph, from: string): boolean => {
  const types = Object.fromEntries(graph.variables.map(({ name, type }) => [name, type]))
  const next = graph.nodes[graph.flows[graph.nodes[from]?.outgoing[0] ?? '']?.to ?? '']
  return (
    next?.type === 'exclusiveGateway' &&
    next.outgoing.some(id => {
      const condition = graph.flows[id]?.condition
      const read = condition == null ? undefined : readCondition(condition, types)
      return read !== undefined && !('problem' in read) && namesIn(read).includes('pass')
    })
  )
}
