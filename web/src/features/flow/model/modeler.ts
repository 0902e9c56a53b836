import BpmnModeler from 'bpmn-js/lib/Modeler'
import { type VariableType, variableTypes } from '#contract/flow/condition.ts'
import type { FlowVariable } from '#contract/flow/process-graph.ts'
import type { BpmnElement } from '#contract/flow/read-process.ts'
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn-codes.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css'
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
  readonly labelTarget?: unknown
}
interface Services {
  readonly canvas: {
    getRootElement(): Shape
    zoom(level: number | 'fit-viewport', center?: 'auto'): number
    viewbox(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
    scrollToElement(element: Shape): void
  }
  readonly elementRegistry: { get(id: string): Shape | undefined; filter(wanted: (element: Shape) => boolean): readonly Shape[] }
  readonly elementFactory: { createShape(of: Readonly<Record<string, unknown>>): Shape }
  readonly modeling: {
    updateProperties(element: Shape, properties: Readonly<Record<string, unknown>>): void
    createShape(shape: unknown, at: { x: number; y: number }, parent: Shape, hints?: { readonly attach: boolean }): Shape
    removeElements(elements: readonly Shape[]): void
  }
  readonly autoPlace: { append(source: Shape, shape: Shape): Shape }
  readonly selection: { get(): readonly Shape[]; select(element: Shape | null): void }
  readonly commandStack: { undo(): void; redo(): void; canUndo(): boolean; canRedo(): boolean }
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
const padOf = (words: (word: NodeWord | 'connect' | 'remove') => string) => {
  class ContextPad {
    static readonly $inject = ['contextPad', 'elementFactory', 'autoPlace', 'connect', 'modeling']
    readonly #factory: Services['elementFactory']
    readonly #place: Services['autoPlace']
    readonly #connect: Services['connect']
    readonly #modeling: Services['modeling']
    constructor(
      pad: Services['contextPad'],
      factory: Services['elementFactory'],
      place: Services['autoPlace'],
      connect: Services['connect'],
      modeling: Services['modeling'],
    ) {
      this.#factory = factory
      this.#place = place
      this.#connect = connect
      this.#modeling = modeling
      pad.registerProvider(this)
    }
    getContextPadEntries(element: Shape): Readonly<Record<string, unknown>> {
      const mayFollow = element.labelTarget === undefined && element.type !== 'bpmn:EndEvent' && element.type !== 'bpmn:SequenceFlow'
      const follow = ([type, word, className]: (typeof nodeTypes)[number]) => [
        `append-${word}`,
        {
          group: 'model',
          className,
          title: words(word),
          action: { click: () => this.#place.append(element, this.#factory.createShape({ type })) },
        },
      ]
      const connecting = (event: Event) => this.#connect.start(event, element)
      return Object.fromEntries([
        ...(mayFollow ? nodeTypes.filter(([type]) => type !== 'bpmn:StartEvent').map(follow) : []),
        ...(mayFollow
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

/** The drawing tool with what our engine runs, and no more. */
export const openModeler = (container: HTMLElement, words: (word: NodeWord | 'connect' | 'remove') => string) => {
  const modeler = new BpmnModeler({ container, additionalModules: [{ contextPadProvider: ['type', padOf(words)] }] as never })
  const get = <K extends keyof Services>(name: K): Services[K] => modeler.get<Services[K]>(name)
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

/** Adds an element after the chosen one, or where there is room in sight. */
export const addNode = (open: OpenModeler, type: string): void => {
  const { get } = open
  const [chosen] = get('selection').get()
  const follows = chosen !== undefined && !['bpmn:Process', 'bpmn:EndEvent', 'bpmn:SequenceFlow'].includes(chosen.type)
  const shape = get('elementFactory').createShape({ type })
  if (follows && type !== 'bpmn:StartEvent') {
    get('selection').select(get('autoPlace').append(chosen, shape))
    return
  }
  const box = get('canvas').viewbox()
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  get('selection').select(get('modeling').createShape(shape, at, get('canvas').getRootElement()))
}
