import type { VariableType } from './condition.ts'

/** Who gets a step, as the drawing says it. */
export interface PeopleRule {
  readonly kind: 'user' | 'role' | 'post' | 'dept' | 'starter' | 'manager' | 'variable'
  /** Id of a user, post or department, alias or id of a role, name of a variable; `starter` for the applicant's own department. */
  readonly ref: string
}
/** When a step that several sign moves on. */
export type SignRule = 'all' | 'any' | 'share'

export interface TaskRule {
  readonly assignee: PeopleRule | null
  readonly candidates: readonly PeopleRule[]
  readonly sign: SignRule | null
  /** Per cent that have to agree, of `share`. */
  readonly share: number
  /** Seconds after which it is due, and after which its people are reminded. */
  readonly dueSeconds: number | null
  readonly remindSeconds: number | null
  /** Whoever has decided at another step of the same request may not decide here. */
  readonly otherPerson?: true
}
export type NodeType =
  | 'startEvent'
  | 'endEvent'
  | 'userTask'
  | 'exclusiveGateway'
  | 'parallelGateway'
  | 'serviceTask'
  | 'callActivity'
  | 'boundaryEvent'

export interface FlowNode {
  readonly id: string
  readonly type: NodeType
  readonly name: string
  /** Ids of lines, in the order of the file. */
  readonly incoming: readonly string[]
  readonly outgoing: readonly string[]
  readonly defaultFlow: string | null
  /** The branches it lies in, the outermost first: `<fork>#<number>`. */
  readonly block: readonly string[]
  readonly task: TaskRule | null
  /** Registered name, of a service task; key of the process, of a call. */
  readonly calls: string | null
  /** Seconds, of a timer. */
  readonly timerSeconds: number | null
  /** The task of a boundary event. */
  readonly attachedTo: string | null
}
export interface FlowLine {
  readonly id: string
  readonly name: string
  readonly from: string
  readonly to: string
  readonly condition: string | null
}
export interface FlowVariable {
  readonly name: string
  readonly label: string
  readonly type: VariableType
  readonly required: boolean
}
/** A drawn process as it runs. */
export interface ProcessGraph {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly variables: readonly FlowVariable[]
  readonly start: string
  readonly nodes: Readonly<Record<string, FlowNode>>
  readonly flows: Readonly<Record<string, FlowLine>>
}

/** Stands for the start in what a step may be returned to. */
export const applicantStep = 'applicant'
/** What a service task may do, by the name it has in the drawing (`flowable:delegateExpression="${notifyStarter}"`). */
export const serviceNames = ['notifyStarter'] as const
export type ServiceName = (typeof serviceNames)[number]
