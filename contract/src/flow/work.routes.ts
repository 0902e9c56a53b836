import { Type } from 'typebox'
import { markOf, searches } from '../kernel/field-rule.ts'
import { cappedPageOf, countInput, pageInput, pageOf } from '../kernel/page.ts'
import type { PermissionCode } from '../kernel/route.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, id, ids, int, named, optional, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import {
  actionsView,
  definitionColumns,
  formView,
  historyRow,
  personName,
  stepWarning,
  variableView,
  workColumns,
  workRow,
} from './flow.shapes.ts'
import { maxComment, maxTitle } from './flow-limits.ts'

const S = Type.String()
const comment = named({ zh: '意见', en: 'Comment' }, text(maxComment))
const needed = named(
  { zh: '意见', en: 'Comment' },
  text(maxComment, { minLength: 1, 'x-required': { zh: '请填写意见', en: 'Please say why' } }),
)
const reason = named(
  { zh: '原因', en: 'Reason' },
  text(maxComment, { minLength: 1, 'x-required': { zh: '请填写原因', en: 'Please enter the reason' } }),
)
const categoryField = named({ zh: '流程分类', en: 'Category' }, text(60))
/** What a form holds, by the names of its variables. */
const values = named(
  { zh: '申请内容', en: 'Form' },
  dictionary(Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean(), Type.Null()])),
)
const done = Type.Object({
  processInstanceId: S,
  /** Wire number of `flowInstanceMachine` after it. */
  state: Type.Integer(),
})

/** Newest active definitions that the caller's tenant may start. */
export const startList = defineRoute({
  method: 'GET',
  path: '/blade-flow/work/start-list',
  access: { staff: 'work_start_view' },
  input: strict({
    ...pageInput,
    category: optional(categoryField),
    name: optional(named({ zh: '流程名称', en: 'Process name' }, text(100))),
    mode: optional(named({ zh: '范围', en: 'For whom' }, int(1, 2))),
  }),
  output: pageOf(
    Type.Object({
      ...definitionColumns,
      /** `own`: its page is at `/work/process/<route>/form/<id>`; `form`: the form of its variables. */
      startBy: Type.Enum(['own', 'form']),
    }),
  ),
  tx: 'read',
})
const titleField = named({ zh: '标题', en: 'Title' }, text(maxTitle))
const search = { category: optional(categoryField), processDefinitionName: optional(text(100)), title: optional(titleField) }
const work = <const P extends string>(path: P, staff: PermissionCode, means: string) =>
  defineRoute({
    method: 'GET',
    path,
    access: { staff },
    input: strict({ ...pageInput, ...countInput, ...search }),
    output: cappedPageOf(workRow),
    tx: 'read',
    means,
  })
export const claimList = work('/blade-flow/work/claim-list', 'work_claim_view', 'open tasks that nobody has claimed and the caller may')
export const todoList = work('/blade-flow/work/todo-list', 'work_todo_view', 'open tasks of the caller')
export const sendList = work('/blade-flow/work/send-list', 'work_send_view', 'what the caller started')
export const doneList = work('/blade-flow/work/done-list', 'work_done_view', 'tasks the caller has dealt with')
export const copyList = work('/blade-flow/work/copy-list', 'work_done_view', 'processes of which the caller got a copy')
/** For the marks in the menu and the home page. */
export const workCounts = defineRoute({
  method: 'GET',
  path: '/blade-flow/work/counts',
  access: { staff: ['work_todo_view', 'work_claim_view'] },
  input: strict({}),
  output: Type.Object({ claim: Type.Integer(), todo: Type.Integer(), overdue: Type.Integer() }),
  tx: 'read',
  background: true,
})

/** Starts a process by the form of its declared variables. */
export const startProcess = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/start-process',
  access: { staff: 'work_start_flow' },
  input: strict({
    processDefinitionId: id(),
    title: named(
      { zh: '标题', en: 'Title' },
      text(maxTitle, { minLength: 1, 'x-required': { zh: '请填写标题', en: 'Please enter a title' } }),
    ),
    values: optional(values),
  }),
  output: done,
  tx: 'own',
})
/** The form of a definition before it is started. */
export const startForm = defineRoute({
  method: 'GET',
  path: '/blade-flow/work/start-form',
  access: { staff: 'work_start_flow' },
  input: strict({ processDefinitionId: id() }),
  output: Type.Object({ ...definitionColumns, variables: Type.Array(variableView), warnings: Type.Array(stepWarning) }),
  tx: 'read',
})
export const claimTask = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/claim-task',
  access: { staff: 'work_claim_sign' },
  input: strict({ taskId: id() }),
  output: done,
  tx: 'own',
})
/**
 * `flag` `ok` agrees; anything else refuses, which needs a comment. What is refused goes the way the drawing has for it (`pass == false`), and
 * without one back to the applicant.
 */
export const completeTask = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/complete-task',
  access: { staff: 'work_todo_handle' },
  input: strict({
    taskId: id(),
    processInstanceId: optional(id()),
    flag: optional(text(10)),
    comment: optional(comment),
    /** Of a task that went back to the applicant: title and form as mended. */
    title: optional(titleField),
    values: optional(values),
  }),
  output: done,
  tx: 'own',
})
/** A task with its process and what the caller may do. */
export const taskDetail = defineRoute({
  method: 'GET',
  path: '/blade-flow/work/task-detail',
  access: { staff: ['work_claim_detail', 'work_todo_detail', 'work_done_detail'] },
  input: strict({ taskId: id() }),
  output: Type.Object({
    ...workColumns,
    ...formView,
    actions: actionsView,
    /** Steps it may be returned to; `applicant` for the applicant. */
    returnTargets: Type.Array(Type.Object({ key: S, name: S })),
    /** Where a refusal leads: `applicant`, `end`, `step` with the names of those that are opened, or `on`, to wait for other branches; empty where the caller does not decide. */
    refusalTo: S,
    refusalSteps: Type.Array(S),
    /** Of what went back to the applicant. */
    returnedByName: personName,
    returnReason: S,
    /** `all`, `any` or `share` where several sign the step, else empty. */
    sign: S,
    signShare: Type.Integer(),
    signers: Type.Array(Type.Object({ taskId: S, assignee: S, assigneeName: personName, outcome: S })),
  }),
  tx: 'read',
})
/** A process as whoever takes part sees it. */
export const instanceDetail = defineRoute({
  method: 'GET',
  path: '/blade-flow/work/instance-detail',
  access: { staff: ['work_send_detail', 'work_done_detail', 'work_todo_detail', 'flow_follow_view'] },
  input: strict({ processInstanceId: id() }),
  output: Type.Object({ ...workColumns, ...formView, actions: actionsView, deleteReason: S }),
  tx: 'read',
})
export const returnTask = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/return-task',
  access: { staff: 'work_todo_handle' },
  input: strict({
    taskId: id(),
    /** `applicant`, or the id of a step. */
    to: text(255),
    comment: needed,
  }),
  output: done,
  tx: 'own',
})
const passOn = <const P extends string>(path: P, means: string) =>
  defineRoute({
    method: 'POST',
    path,
    access: { staff: 'work_todo_handle' },
    input: strict({ taskId: id(), userId: id(), comment: optional(comment) }),
    output: done,
    tx: 'own',
    means,
  })
export const transferTask = passOn('/blade-flow/work/transfer-task', 'the task becomes the other’s')
export const delegateTask = passOn('/blade-flow/work/delegate-task', 'the other answers, and it comes back to its owner to be completed')
export const addSign = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/add-sign',
  access: { staff: 'work_todo_handle' },
  input: strict({ taskId: id(), userIds: ids(), comment: optional(comment) }),
  several: { because: 'the people of one step' },
  output: done,
  tx: 'own',
  means: 'others sign the step as well; it moves on by its rule, and where it had none when all agree',
})
export const copyTo = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/copy-to',
  access: { staff: ['work_todo_handle', 'work_send_detail'] },
  input: strict({ processInstanceId: id(), userIds: ids(), comment: optional(comment) }),
  several: { because: 'the readers of one process' },
  output: Type.Object({ copied: Type.Integer() }),
  tx: 'own',
  means: 'others may look at the process, and are told of it',
})
export const remind = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/remind',
  access: { staff: 'work_send_detail' },
  input: strict({ processInstanceId: id() }),
  output: Type.Object({ reminded: Type.Integer() }),
  tx: 'own',
  means: 'tells whoever has the open tasks that they are waited for, at most once an hour',
})
export const withdraw = defineRoute({
  method: 'POST',
  path: '/blade-flow/work/withdraw-process',
  access: { staff: 'work_send_withdraw' },
  input: strict({ processInstanceId: id(), reason: optional(named({ zh: '原因', en: 'Reason' }, text(maxComment))) }),
  output: done,
  tx: 'own',
  means: 'the applicant takes it back before anybody decided, or after it was returned',
})
/** Whom a task may be given to or a form may name: active staff of the own tenant, at most 20 where they are not named by their ids. */
export const workPeople = defineRoute({
  method: 'GET',
  path: '/blade-flow/work/people',
  access: { staff: ['work_start_flow', 'work_todo_handle', 'flow_follow_assign'] },
  input: strict({ keyword: optional(searches([markOf(userNoun, 'realName')], text(60))), userIds: optional(ids()) }),
  output: Type.Array(Type.Object({ id: S, account: S, realName: personName, deptName: S })),
  tx: 'read',
})

export const followList = defineRoute({
  method: 'GET',
  path: '/blade-flow/follow/list',
  access: { staff: 'flow_follow_view' },
  input: strict({
    ...pageInput,
    ...countInput,
    executionId: optional(id()),
    processInstanceId: optional(id()),
    processDefinitionKey: optional(text(60)),
    title: optional(titleField),
    /** 0: those that are over as well. */
    running: optional(named({ zh: '运行情况', en: 'Running' }, int(0, 1))),
  }),
  output: cappedPageOf(
    Type.Object({
      ...workColumns,
      id: S,
      suspensionState: Type.Integer(),
      deleteReason: S,
    }),
  ),
  tx: 'read',
})
export const deleteInstance = defineRoute({
  method: 'POST',
  path: '/blade-flow/follow/delete-process-instance',
  access: { staff: 'flow_follow_delete' },
  input: strict({ processInstanceId: id(), deleteReason: reason }),
  output: done,
  tx: 'own',
  means: 'cancels a running process; its rows stay',
})
/** For a task whose assignee left, or that nobody claims. */
export const assignTask = defineRoute({
  method: 'POST',
  path: '/blade-flow/follow/assign-task',
  access: { staff: 'flow_follow_assign' },
  input: strict({ taskId: id(), userId: id(), comment: optional(comment) }),
  output: done,
  tx: 'own',
})

const followers = [
  'work_claim_follow',
  'work_todo_follow',
  'work_send_follow',
  'work_done_follow',
  'flow_follow_view',
] as const satisfies readonly PermissionCode[]
/** The picture of a definition, or of a process with what happened in it (S4.09). */
export const modelView = defineRoute({
  method: 'GET',
  path: '/blade-flow/process/model-view',
  access: { staff: ['flow_manager_image', 'work_start_image', ...followers] },
  input: strict({ processInstanceId: optional(id()), processDefinitionId: optional(id()) }),
  output: Type.Object({ xml: S, flow: Type.Array(historyRow) }),
  tx: 'read',
})
/** What happened, the oldest first; gateways and lines are in the picture alone. */
export const historyFlowList = defineRoute({
  method: 'GET',
  path: '/blade-flow/process/history-flow-list',
  access: { staff: followers },
  input: strict({ processInstanceId: id() }),
  output: Type.Array(historyRow),
  tx: 'read',
})

export const workRoutes = [
  startList,
  claimList,
  todoList,
  sendList,
  doneList,
  copyList,
  workCounts,
  startProcess,
  startForm,
  claimTask,
  completeTask,
  taskDetail,
  instanceDetail,
  returnTask,
  transferTask,
  delegateTask,
  addSign,
  copyTo,
  remind,
  withdraw,
  workPeople,
  followList,
  deleteInstance,
  assignTask,
  modelView,
  historyFlowList,
] as const
