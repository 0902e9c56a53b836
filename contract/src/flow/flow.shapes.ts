import { Type } from 'typebox'
import { shows } from '../kernel/field-rule.ts'
import { dictionary } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'

// Texts are empty where there is nothing (framework-contract 1.4).

const S = Type.String()
const N = Type.Integer()
/** Accounts are people: rules about real names hold for these too. */
export const personName = shows(userNoun, 'realName', Type.String())

/** What is wrong with a drawn process: where, what, and how to mend it, in the reader's language. */
export const problemView = Type.Object({
  /** Id of the BPMN element; empty for the file as a whole. */
  element: S,
  elementName: S,
  /** For programs; `flow-problems.ts` lists them. */
  reason: S,
  text: S,
})

/** A step that nobody could take as things stand: why, in the reader's language. */
export const stepWarning = Type.Object({ element: S, elementName: S, text: S })

/** What a process asks of whoever starts it. */
export const variableView = Type.Object({
  name: S,
  label: S,
  type: Type.Enum(['text', 'number', 'boolean', 'day', 'user']),
  required: Type.Boolean(),
})

export const definitionColumns = {
  id: S,
  /** Empty for a common one. */
  tenantId: S,
  name: S,
  key: S,
  description: S,
  /** `flow_<key of the dictionary flow>`. */
  category: S,
  categoryName: S,
  /** Remark of the category: the forms stand at `/work/process/<route>/…`. */
  route: S,
  version: N,
  deploymentId: S,
  /** 1 active, 2 suspended. */
  suspensionState: N,
  deploymentTime: S,
}

/** A row of claim, todo, done, send and copy lists: a task with its process, or a process with where it is now. */
export const workColumns = {
  /** Of send and copy lists: the first open task, or empty. */
  taskId: S,
  taskName: S,
  /** Id of the element in the diagram; `applicant` for what was returned to the applicant. */
  taskDefinitionKey: S,
  category: S,
  categoryName: S,
  route: S,
  processDefinitionId: S,
  processDefinitionKey: S,
  processDefinitionName: S,
  processDefinitionVersion: N,
  processInstanceId: S,
  executionId: S,
  businessId: S,
  /** What the request is about, in a line. */
  title: S,
  startUser: S,
  startUserName: personName,
  startTime: S,
  /** `finished`, or `unfinished`. */
  processIsFinished: S,
  /** Wire numbers of `flowInstanceMachine` and `flowTaskMachine`. */
  state: N,
  taskState: N,
  /** How it ended: agreed at the end, or not. Null while it runs. */
  passed: Type.Union([Type.Boolean(), Type.Null()]),
  assignee: S,
  /** Of send lists: all who have it now, joined by commas. */
  assigneeName: personName,
  /** Who delegated it. */
  owner: S,
  ownerName: personName,
  createTime: S,
  claimTime: S,
  endTime: S,
  dueTime: S,
  isOverdue: Type.Boolean(),
  /** `ok`, `reject`, `return` or `resolve`. */
  outcome: S,
  comment: S,
}
export const workRow = Type.Object(workColumns)

/** What the caller may do with a task or a process now; the screen draws its buttons from it. */
export const actionsView = Type.Array(
  Type.Enum([
    'claim',
    'complete',
    'resubmit',
    'return',
    'transfer',
    'delegate',
    'addSign',
    'copy',
    'withdraw',
    'remind',
    'assign',
    'cancel',
  ]),
)

/** One step of what happened (S3.19). */
export const historyRow = Type.Object({
  id: S,
  processInstanceId: S,
  historyActivityId: S,
  historyActivityName: S,
  /** startEvent, userTask, exclusiveGateway, parallelGateway, serviceTask, callActivity, boundaryEvent, sequenceFlow, endEvent; `candidate`: nobody has claimed it yet. */
  historyActivityType: S,
  /** In words; empty while it runs. */
  historyActivityDurationTime: S,
  createTime: S,
  /** Empty while it runs. */
  endTime: S,
  taskId: S,
  taskName: S,
  assignee: S,
  assigneeName: personName,
  /**
   * What was done: start, claim, ok, reject, return, resubmit, transfer, delegate, resolve, addSign, copy, remind, assign, withdraw, cancel, timeout,
   * closed, end; empty for an element that was passed.
   */
  action: S,
  actionName: S,
  /** To whom or where, in words: the new assignee, the step it was returned to. */
  target: S,
  comment: S,
})

export const formView = {
  title: S,
  variables: Type.Array(variableView),
  values: dictionary(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
}
