import { flowInstanceMachine, flowTaskMachine } from '#contract/flow/flow.state.ts'
import { leaveCategory, verifiedChangeCategory } from '#contract/flow/flow-limits.ts'
import { applicantStep } from '#contract/flow/process-graph.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { DefinitionRow } from './data/definition.repo.ts'
import type { HistoryRow, WorkRow } from './data/work.repo.ts'

const time = (instant: Date | null | undefined): string => (instant ? toWireTime(instant) : '')

export const presentDefinition = (ctx: Ctx, row: DefinitionRow) => ({
  id: row.id,
  tenantId: row.isCommon ? '' : row.tenantId,
  name: row.name,
  key: row.key,
  description: row.description,
  category: row.category,
  categoryName: ctx.say({ zh: row.categoryZh ?? row.category, en: row.categoryEn ?? row.categoryZh ?? row.category }),
  route: row.route ?? '',
  version: row.version,
  deploymentId: row.deploymentId,
  suspensionState: row.state === 'active' ? 1 : 2,
  deploymentTime: toWireTime(row.createdAt),
})
/** Processes that a page of their own starts: that of leave has one, and a change of verified data begins with the request for it. */
export const ownPages: readonly string[] = [leaveCategory, verifiedChangeCategory]

export const presentWork = (ctx: Ctx, row: WorkRow) => ({
  taskId: row.taskId ?? '',
  taskName: row.node === applicantStep ? ctx.say(label('申请人修改', 'Applicant: mend and send again')) : (row.taskName ?? ''),
  taskDefinitionKey: row.node ?? '',
  category: row.category,
  categoryName: ctx.say({ zh: row.categoryZh ?? row.category, en: row.categoryEn ?? row.categoryZh ?? row.category }),
  route: row.route ?? '',
  processDefinitionId: row.definitionId,
  processDefinitionKey: row.key,
  processDefinitionName: row.name,
  processDefinitionVersion: row.version,
  processInstanceId: row.instanceId,
  executionId: row.instanceId,
  businessId: row.businessId ?? '',
  title: row.title,
  startUser: row.startUser,
  startUserName: row.startUserName ?? '',
  startTime: toWireTime(row.startedAt),
  processIsFinished: row.state === 'running' || row.state === 'returned' ? 'unfinished' : 'finished',
  state: flowInstanceMachine.wire[row.state],
  taskState: row.taskState === null ? flowTaskMachine.wire.closed : flowTaskMachine.wire[row.taskState],
  passed: row.passed,
  assignee: row.assignee ?? '',
  assigneeName: row.assigneeName ?? '',
  owner: row.owner ?? '',
  ownerName: row.ownerName ?? '',
  createTime: time(row.createdAt),
  claimTime: time(row.claimedAt),
  endTime: time(row.endedAt),
  dueTime: time(row.dueAt),
  isOverdue: row.dueAt !== null && row.taskState === 'open' && row.dueAt < ctx.arrivedAt,
  outcome: row.outcome ?? '',
  comment: row.comment ?? '',
})

const actions: Readonly<Record<string, Label>> = {
  start: label('发起', 'Started'),
  claim: label('签收', 'Claimed'),
  unclaim: label('退回待签', 'Given back'),
  ok: label('同意', 'Agreed'),
  reject: label('不同意', 'Refused'),
  return: label('退回', 'Returned'),
  resubmit: label('重新提交', 'Sent again'),
  transfer: label('转办', 'Transferred'),
  delegate: label('委派', 'Delegated'),
  resolve: label('受托办结', 'Answered for its owner'),
  addSign: label('加签', 'Signers added'),
  copy: label('抄送', 'Copied to'),
  remind: label('催办', 'Reminded'),
  assign: label('指派', 'Assigned'),
  withdraw: label('撤回', 'Withdrawn'),
  cancel: label('终止', 'Cancelled'),
  timeout: label('超时流转', 'Moved on by its time limit'),
  closed: label('已关闭', 'Closed'),
}
const spans: readonly (readonly [seconds: number, zh: string, en: string])[] = [
  [86_400, '天', 'd'],
  [3600, '小时', 'h'],
  [60, '分', 'min'],
]
/** The two largest parts of a span. */
const durationText = (ctx: Ctx, from: Date, to: Date): string => {
  let left = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000))
  const parts: string[] = []
  for (const [seconds, zh, en] of spans) {
    const count = Math.floor(left / seconds)
    left -= count * seconds
    if (count > 0) parts.push(ctx.say({ zh: `${count}${zh}`, en: `${count} ${en}` }))
  }
  return parts.slice(0, 2).join(' ') || ctx.say({ zh: `${left}秒`, en: `${left} s` })
}
const stepName = (ctx: Ctx, name: string, node: string): string =>
  node === applicantStep || name === applicantStep ? ctx.say(label('申请人', 'Applicant')) : name

export const presentHistory = (ctx: Ctx, instanceId: string, row: HistoryRow, at: number) => ({
  id: `${instanceId}-${row.seq || `open-${at}`}`,
  processInstanceId: instanceId,
  historyActivityId: row.node,
  historyActivityName: stepName(ctx, row.name, row.node),
  historyActivityType: row.type,
  historyActivityDurationTime: row.endedAt ? durationText(ctx, row.startedAt, row.endedAt) : '',
  createTime: toWireTime(row.startedAt),
  endTime: time(row.endedAt),
  taskId: row.taskId ?? '',
  taskName: row.taskId === null ? '' : stepName(ctx, row.name, row.node),
  assignee: row.actor === '0' ? '' : row.actor,
  assigneeName: row.actorName ?? '',
  action: row.action,
  actionName: actions[row.action] ? ctx.say(actions[row.action] as Label) : '',
  target: stepName(ctx, row.target, ''),
  comment: row.comment,
})
