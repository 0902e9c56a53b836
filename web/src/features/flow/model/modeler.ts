import BpmnModeler from 'bpmn-js/lib/Modeler'
import { type VariableType, variableTypes } from '#contract/flow/condition.ts'
import type { FlowVariable } from '#contract/flow/process-graph.ts'
import type { BpmnElement } from '#contract/flow/read-process.ts'
import type { FitCanvas } from '#web/shell/flow/fit.ts'
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn-codes.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css'
import { behind, belowAll, freePlace, middleOf, type Point, roomIn } from './room.ts'
import { flowableNamespace, ownNamespace } from './straight.ts'

/** What stands behind a shape, as the library keeps it. */
export interface Business extends BpmnElement {
  readonly id: string
  get(name: string): unknown
}
export interface Shape {
  readonly id: string
  readonly type: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly businessObject: Business
  readonly attachers?: readonly Shape[]
  readonly incoming?: readonly Shape[]
  readonly outgoing?: readonly Shape[]
  readonly source?: Shape
  readonly target?: Shape
  readonly labelTarget?: unknown
  /** Of a line. */
  readonly waypoints?: readonly Point[]
}
interface Services {
  readonly canvas: FitCanvas & {
    getRootElement(): Shape
    scrollToElement(element: Shape): void
  }
  readonly elementRegistry: { get(id: string): Shape | undefined; filter(wanted: (element: Shape) => boolean): readonly Shape[] }
  readonly elementFactory: { createShape(of: Readonly<Record<string, unknown>>): Shape }
  readonly modeling: {
    updateProperties(element: Shape, properties: Readonly<Record<string, unknown>>): void
    createShape(shape: unknown, at: Point, parent: Shape, hints?: { readonly attach: boolean }): Shape
    appendShape(source: Shape, shape: Shape, at: Point, parent: Shape): Shape
    createSpace(moving: readonly Shape[], resizing: readonly Shape[], by: Point, direction: 'e' | 's', start: number): void
    removeElements(elements: readonly Shape[]): void
  }
  readonly spaceTool: {
    calculateAdjustments(
      elements: readonly Shape[],
      axis: 'x' | 'y',
      by: number,
      start: number,
    ): { readonly movingShapes: readonly Shape[]; readonly resizingShapes: readonly Shape[] }
  }
  readonly create: { start(event: Event, shape: Shape): void }
  readonly selection: { get(): readonly Shape[]; select(element: Shape | null): void }
  readonly commandStack: {
    undo(): void
    redo(): void
    canUndo(): boolean
    canRedo(): boolean
    register(command: string, handler: { readonly preExecute: (context: { readonly run: () => void }) => void }): void
    execute(command: string, context: { readonly run: () => void }): void
  }
  readonly connect: { start(event: Event, element: Shape): void }
  readonly moddle: {
    create(type: string, of?: Readonly<Record<string, unknown>>): Business
    createAny(type: string, namespace: string, of: Readonly<Record<string, unknown>>): unknown
  }
  readonly contextPad: { registerProvider(provider: unknown): void }
  readonly eventBus: { on(event: string | readonly string[], run: () => void): void }
}

/** What can be drawn: what the engine runs. */
export const nodeTypes = [
  ['bpmn:UserTask', 'task', 'bpmn-icon-user-task'],
  ['bpmn:ExclusiveGateway', 'exclusive', 'bpmn-icon-gateway-xor'],
  ['bpmn:ParallelGateway', 'parallel', 'bpmn-icon-gateway-parallel'],
  ['bpmn:ServiceTask', 'service', 'bpmn-icon-service-task'],
  ['bpmn:CallActivity', 'call', 'bpmn-icon-call-activity'],
  ['bpmn:EndEvent', 'end', 'bpmn-icon-end-event-none'],
  ['bpmn:StartEvent', 'start', 'bpmn-icon-start-event-none'],
] as const
export type NodeWord = (typeof nodeTypes)[number][1]

/** The little menu at a chosen element, with what may follow it. */
const padOf = (words: (word: NodeWord | 'connect' | 'remove') => string, add: (type: string, behind: Shape) => void) => {
  class ContextPad {
    static readonly $inject = ['contextPad', 'connect', 'modeling']
    readonly #connect: Services['connect']
    readonly #modeling: Services['modeling']
    constructor(pad: Services['contextPad'], connect: Services['connect'], modeling: Services['modeling']) {
      this.#connect = connect
      this.#modeling = modeling
      pad.registerProvider(this)
    }
    getContextPadEntries(element: Shape): Readonly<Record<string, unknown>> {
      const mayFollow = element.labelTarget === undefined && element.type !== 'bpmn:EndEvent'
      const isLine = element.waypoints !== undefined
      const follow = ([type, word, className]: (typeof nodeTypes)[number]) => [
        `append-${word}`,
        {
          group: 'model',
          className,
          title: words(word),
          action: { click: () => add(type, element) },
        },
      ]
      const connecting = (event: Event) => this.#connect.start(event, element)
      return Object.fromEntries([
        ...(mayFollow ? nodeTypes.filter(([type]) => type !== 'bpmn:StartEvent' && !(isLine && type === 'bpmn:EndEvent')).map(follow) : []),
        ...(mayFollow && !isLine
          ? [
              [
                'connect',
                {
                  group: 'connect',
                  className: 'bpmn-icon-connection-multi',
                  title: words('connect'),
                  action: { click: connecting, dragstart: connecting },
                },
              ],
            ]
          : []),
        [
          'delete',
          {
            group: 'edit',
            className: 'bpmn-icon-trash',
            title: words('remove'),
            action: { click: () => this.#modeling.removeElements([element]) },
          },
        ],
      ])
    }
  }
  return ContextPad
}

const insertCommand = 'kaopu.insert'
/** The drawing tool with what our engine runs, and no more. */
export const openModeler = (container: HTMLElement, words: (word: NodeWord | 'connect' | 'remove') => string) => {
  const add = (type: string, after: Shape) => addNode({ modeler, get }, type, after)
  const modeler: BpmnModeler = new BpmnModeler({
    container,
    additionalModules: [{ contextPadProvider: ['type', padOf(words, add)] }] as never,
  })
  const get = <K extends keyof Services>(name: K): Services[K] => modeler.get<Services[K]>(name)
  get('commandStack').register(insertCommand, { preExecute: ({ run }) => run() })
  return { modeler, get }
}
export type OpenModeler = ReturnType<typeof openModeler>

/** A drawing that another tool made has not declared our vocabularies. */
export const declareNamespaces = ({ modeler }: OpenModeler): void => {
  const attributes = (modeler.getDefinitions() as unknown as { readonly $attrs: Record<string, string> }).$attrs
  attributes['xmlns:flowable'] ??= flowableNamespace
  attributes['xmlns:kaopu'] ??= ownNamespace
}

export const textOf = (of: Business, name: string): string => {
  const value = of.get(name) ?? of.$attrs?.[name]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
const listOf = (value: unknown): readonly Business[] => (Array.isArray(value) ? (value as Business[]) : [])
const anyText = (of: BpmnElement, name: string): string => String(of[name] ?? of.$attrs?.[name] ?? '')

export const variablesOf = (process: Business): readonly FlowVariable[] =>
  listOf((process['extensionElements'] as BpmnElement | undefined)?.['values'])
    .filter(({ $type }) => $type === 'kaopu:variable')
    .map(one => ({
      name: anyText(one, 'name'),
      label: anyText(one, 'label'),
      type: variableTypes.find(type => type === anyText(one, 'type')) ?? ('text' satisfies VariableType),
      required: anyText(one, 'required') === 'true',
    }))
export const setVariables = ({ get }: OpenModeler, variables: readonly FlowVariable[]): void => {
  const moddle = get('moddle')
  const values = variables.map(({ name, label, type, required }) =>
    moddle.createAny('kaopu:variable', ownNamespace, { name, label, type, required: String(required) }),
  )
  get('modeling').updateProperties(get('canvas').getRootElement(), {
    extensionElements: values.length === 0 ? undefined : moddle.create('bpmn:ExtensionElements', { values }),
  })
}
export const docOf = (of: Business): string =>
  listOf(of['documentation'])
    .map(each => textOf(each, 'text'))
    .join('\n')

/** Whole hours of a fixed duration; empty where it is none. */
export const hoursText = (duration: string): string => {
  const found = /^P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(duration)
  return found === null ? '' : String(Number(found[1] ?? 0) * 24 + Number(found[2] ?? 0))
}

/** The clock at a task, through which it leaves when nobody has dealt with it. */
export const clockOf = (task: Shape): Shape | undefined => task.attachers?.find(({ type }) => type === 'bpmn:BoundaryEvent')
export const timerText = (of: Business | undefined): string => {
  const duration = listOf(of?.['eventDefinitions'])[0]?.['timeDuration'] as BpmnElement | undefined
  return duration === undefined ? '' : hoursText(anyText(duration, 'body'))
}
const timerOf = ({ get }: OpenModeler, hours: number): readonly Business[] => {
  const moddle = get('moddle')
  return [moddle.create('bpmn:TimerEventDefinition', { timeDuration: moddle.create('bpmn:FormalExpression', { body: `PT${hours}H` }) })]
}
/** Sets or takes away the clock at a task. */
export const setClock = (open: OpenModeler, task: Shape, hours: number | null): void => {
  const modeling = open.get('modeling')
  const clock = clockOf(task)
  if (hours === null) {
    if (clock !== undefined) modeling.removeElements([clock])
    return
  }
  const drawn =
    clock ??
    modeling.createShape(
      { type: 'bpmn:BoundaryEvent', eventDefinitionType: 'bpmn:TimerEventDefinition' },
      { x: task.x + task.width - 20, y: task.y + task.height },
      task,
      { attach: true },
    )
  modeling.updateProperties(drawn, { eventDefinitions: timerOf(open, hours) })
}
export const setStartTimer = (open: OpenModeler, start: Shape, hours: number | null): void =>
  open.get('modeling').updateProperties(start, { eventDefinitions: hours === null ? undefined : timerOf(open, hours) })

const boxesOf = ({ get }: OpenModeler): readonly Shape[] =>
  get('elementRegistry').filter(
    ({ labelTarget, type, waypoints }) => labelTarget === undefined && waypoints === undefined && type !== 'bpmn:Process',
  )
/** Puts it into a line, which leads to it and on from it then; what is behind it makes room. */
const intoLine = (open: OpenModeler, line: Shape, shape: Shape): Shape => {
  const { get } = open
  const { at, axis, start, by } = roomIn(line.waypoints ?? [], shape)
  if (by > 0) {
    const all = get('elementRegistry').filter(({ type }) => type !== 'bpmn:Process')
    const { movingShapes, resizingShapes } = get('spaceTool').calculateAdjustments(all, axis, by, start)
    get('modeling').createSpace(
      movingShapes,
      resizingShapes,
      { x: axis === 'x' ? by : 0, y: axis === 'y' ? by : 0 },
      axis === 'x' ? 'e' : 's',
      start,
    )
  }
  return get('modeling').createShape(shape, at, line)
}
const afterNode = (open: OpenModeler, node: Shape, shape: Shape): Shape =>
  open
    .get('modeling')
    .appendShape(node, shape, middleOf(freePlace(behind(node, shape), boxesOf(open))), open.get('canvas').getRootElement())

/**
 * Adds an element where it belongs: into the chosen line, or behind the chosen element, between it and what it leads to. A gateway that splits gets one
 * more branch. With nothing chosen a step comes last, before the end.
 */
export const addNode = (open: OpenModeler, type: string, chosen = open.get('selection').get()[0]): void => {
  const { get } = open
  const shape = get('elementFactory').createShape({ type })
  const isEvent = type === 'bpmn:StartEvent' || type === 'bpmn:EndEvent'
  const ends = boxesOf(open).filter(one => one.type === 'bpmn:EndEvent')
  const node = chosen === undefined || chosen.type === 'bpmn:Process' ? (ends.length === 1 ? ends[0] : undefined) : chosen
  const place = (): Shape => {
    const before = node?.type === 'bpmn:EndEvent' ? node.incoming : undefined
    const line = node?.waypoints === undefined ? (before?.length === 1 ? before[0] : undefined) : node
    if (line !== undefined && !isEvent) return intoLine(open, line, shape)
    if (node !== undefined && node.waypoints === undefined && node.type !== 'bpmn:EndEvent' && type !== 'bpmn:StartEvent') {
      const [next, ...more] = node.outgoing ?? []
      const splits = node.type.endsWith('Gateway') && (node.incoming?.length ?? 0) < 2
      if (next === undefined || splits) return afterNode(open, node, shape)
      if (!isEvent && more.length === 0) return intoLine(open, next, shape)
    }
    return get('modeling').createShape(shape, middleOf(belowAll(shape, boxesOf(open))), get('canvas').getRootElement())
  }
  let drawn = shape
  // One step back takes all of it away.
  get('commandStack').execute(insertCommand, {
    run: () => {
      drawn = place()
    },
  })
  get('selection').select(drawn)
  get('canvas').scrollToElement(drawn)
}
/** Takes an element from a button to the canvas; let go over a line it goes into it. */
export const dragNode = ({ get }: OpenModeler, type: string, event: Event): void =>
  get('create').start(event, get('elementFactory').createShape({ type }))
