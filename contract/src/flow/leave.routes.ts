import { Type } from 'typebox'
import { sure } from '../kernel/asking.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, named, optional, strict, text, time } from '../kernel/schema.ts'
import { personName } from './flow.shapes.ts'

const S = Type.String()
const form = {
  /** Who decides first. */
  taskUser: named({ zh: '审批人', en: 'Approver' }, id()),
  startTime: named({ zh: '开始时间', en: 'From' }, time()),
  endTime: named({ zh: '结束时间', en: 'To' }, time()),
  reason: named(
    { zh: '请假事由', en: 'Reason' },
    text(255, { minLength: 1, 'x-required': { zh: '请填写请假事由', en: 'Please say why' } }),
  ),
  sure: optional(sure()),
}
const done = Type.Object({ businessId: S, processInstanceId: S, state: Type.Integer() })

/** The leave is kept and its process started together. */
const startLeave = defineRoute({
  method: 'POST',
  path: '/blade-desk/process/leave/start-process',
  access: { staff: 'work_start_flow' },
  input: strict({ processDefinitionId: id(), ...form }),
  output: done,
  tx: 'own',
})
/** The applicant mends what was returned and sends it again. */
const resubmitLeave = defineRoute({
  method: 'POST',
  path: '/blade-desk/process/leave/resubmit',
  access: { staff: 'work_todo_handle' },
  input: strict({ taskId: id(), ...form, comment: optional(named({ zh: '意见', en: 'Comment' }, text(500))) }),
  output: done,
  tx: 'own',
})
/** When the organisation works: what a leave is counted by. */
const workingHours = defineRoute({
  method: 'GET',
  path: '/blade-desk/process/leave/working-hours',
  access: { staff: ['work_start_flow', 'work_todo_handle'] },
  input: strict({}),
  output: Type.Object({
    from: Type.Integer(),
    to: Type.Integer(),
    days: Type.Integer(),
    daysOff: Type.Array(S),
    workDays: Type.Array(S),
  }),
  tx: 'read',
})
const leaveDetail = defineRoute({
  method: 'GET',
  path: '/blade-desk/process/leave/detail',
  access: { staff: ['work_claim_detail', 'work_todo_detail', 'work_send_detail', 'work_done_detail', 'flow_follow_view'] },
  input: strict({ businessId: id() }),
  output: Type.Object({
    id: S,
    startTime: S,
    endTime: S,
    /** In days, half days counted. */
    days: Type.Number(),
    reason: S,
    taskUser: S,
    taskUserName: personName,
    processDefinitionId: S,
    processInstanceId: S,
    /** Wire number of `leaveMachine`. */
    status: Type.Integer(),
    applyTime: S,
    /** The applicant. */
    flow: Type.Object({ assignee: S, assigneeName: personName }),
  }),
  tx: 'read',
})
export const leaveRoutes = [startLeave, resubmitLeave, workingHours, leaveDetail] as const
export { leaveDetail, resubmitLeave, startLeave, workingHours }
