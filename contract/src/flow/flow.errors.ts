import { markOf } from '../kernel/field-rule.ts'
import { defineErrors, refuserOf } from '../kernel/refusal.ts'
import { userNoun } from '../organisation/user.noun.ts'

const nameMark = markOf(userNoun, 'realName')

/** Refusals about models, processes and their tasks; numbers of domain 13.2. */
export const flowErrors = defineErrors({
  'flow/model-invalid': {
    code: 400,
    status: 400,
    zh: '流程图有 {count} 处问题，请按列出的元素和说明修改后重试',
    en: 'The process has {count} problem(s); mend what is listed with its element, and try again',
  },
  'flow/file-name': {
    code: 400,
    status: 400,
    zh: '“{name}”不是流程文件，请上传 .bpmn、.bpmn.xml 或 .bpmn20.xml 文件',
    en: '“{name}” is no process file; upload .bpmn, .bpmn.xml or .bpmn20.xml',
  },
  'flow/no-file': { code: 400, status: 400, zh: '请上传流程文件', en: 'Please upload a process file' },
  'flow/category': {
    code: 400,
    status: 400,
    zh: '没有流程分类“{category}”，分类在系统字典 flow 中维护',
    en: 'There is no category “{category}”; categories stand in the system dictionary “flow”',
  },
  'flow/other-tenant': {
    code: 403,
    status: 403,
    zh: '只能部署到本租户；部署为通用流程或部署到其他租户由平台管理员进行',
    en: 'You can deploy to your own tenant only; the platform’s administrators deploy for all or for others',
  },
  'flow/timer-common': {
    code: 400,
    status: 400,
    zh: '流程“{name}”由定时器启动，须部署到指定租户，不能部署为通用流程',
    en: '“{name}” is started by a timer: deploy it to named tenants, not for all',
  },
  'flow/suspended': {
    code: 2001,
    status: 409,
    zh: '流程“{name}”已挂起，暂不能发起；已发起的流程不受影响',
    en: '“{name}” is suspended and cannot be started; what was started goes on',
  },
  'flow/outdated': {
    code: 2001,
    status: 409,
    zh: '流程“{name}”已有新版本，请从发起流程页面重新进入',
    en: 'There is a newer version of “{name}”; open it again from the start page',
  },
  'flow/own-start': {
    code: 2001,
    status: 409,
    zh: '流程“{name}”由它自己的业务页面发起，不能在此发起',
    en: '“{name}” is started by its own page, not here',
  },
  'flow/running-instances': {
    code: 2004,
    status: 409,
    zh: '仍有 {count} 个流程正在按这些版本运行；确认删除后它们将被终止',
    en: '{count} processes are running by these versions; when you confirm, they are cancelled',
  },
  'flow/variable': {
    code: 400,
    status: 400,
    zh: '“{label}”{problem}',
    en: '“{label}” {problem}',
  },
  'flow/unknown-variable': {
    code: 400,
    status: 400,
    zh: '流程没有声明“{name}”',
    en: 'The process does not declare “{name}”',
  },
  'flow/not-running': {
    code: 2201,
    status: 409,
    zh: '该流程{state}，不能再操作',
    en: 'This process is over ({state}); nothing more can be done with it',
  },
  'flow/task-over': {
    code: 2201,
    status: 409,
    tells: { name: nameMark },
    zh: '该任务已由{name}处理或已关闭，请刷新后查看',
    en: 'This task was dealt with by {name} or closed meanwhile; load the page again',
  },
  'flow/claimed': {
    code: 2201,
    status: 409,
    tells: { name: nameMark },
    zh: '该任务已被{name}签收',
    en: '{name} has claimed this task already',
  },
  'flow/not-claimed': {
    code: 2201,
    status: 409,
    zh: '请先签收该任务',
    en: 'Claim this task first',
  },
  'flow/not-yours': {
    code: 403,
    status: 403,
    tells: { name: nameMark },
    zh: '该任务由{name}办理，您不能处理',
    en: 'This task is {name}’s, so you cannot deal with it',
  },
  'flow/own-request': {
    code: 403,
    status: 403,
    zh: '申请人不能审批自己的申请，请由其他人办理',
    en: 'Applicants cannot decide on their own request; somebody else has to',
  },
  'flow/decided-before': {
    code: 403,
    status: 403,
    tells: { name: nameMark },
    zh: '该步骤须由另一人办理：{name}已在本申请的其他步骤作出决定',
    en: 'This step wants another person: {name} has decided at another step of this request',
  },
  'flow/not-candidate': {
    code: 403,
    status: 403,
    zh: '您不在该任务的候选人员之内，不能签收',
    en: 'You are not among those who may claim this task',
  },
  'flow/return-target': {
    code: 400,
    status: 400,
    zh: '不能退回到该步骤：只能退回到本流程已经办理过、且不在其他并行分支中的步骤',
    en: 'It cannot be returned there: only to a step that was passed and does not lie in another parallel branch',
  },
  'flow/no-applicant': {
    code: 2001,
    status: 409,
    zh: '该流程不能退回申请人，请同意或不同意',
    en: 'This process cannot be returned to the applicant; agree or refuse',
  },
  'flow/withdraw-late': {
    code: 2201,
    status: 409,
    tells: { name: nameMark },
    zh: '{name}已审批，不能再撤回；可请当前办理人退回',
    en: '{name} has decided already, so it cannot be withdrawn; ask whoever has it now to return it',
  },
  'flow/not-starter': { code: 403, status: 403, zh: '只有申请人可以这样做', en: 'Only the applicant can do this' },
  'flow/no-person': {
    code: 400,
    status: 400,
    zh: '所选人员不存在、已停用或不是本租户的工作人员',
    en: 'Whom you chose is not an active member of staff of this tenant',
  },
  'flow/same-person': {
    code: 400,
    status: 400,
    tells: { name: nameMark },
    zh: '{name}已是该步骤的办理人',
    en: '{name} has this step already',
  },
  'flow/delegated': {
    code: 2201,
    status: 409,
    zh: '该任务已委派，须先由受托人办理',
    en: 'This task is delegated already; who has it now finishes it first',
  },
  'flow/too-many-signers': {
    code: 400,
    status: 400,
    zh: '步骤“{step}”的会签人员超过 {limit} 人',
    en: 'Step “{step}” would be signed by more than {limit} people',
  },
  'flow/nobody': {
    code: 2001,
    status: 409,
    zh: '步骤“{step}”找不到办理人：{why}',
    en: 'Nobody can take the step “{step}”: {why}',
  },
  'flow/no-definition': {
    code: 2001,
    status: 409,
    zh: '没有可用的流程“{key}”，请先部署或激活',
    en: 'There is no active process “{key}”; deploy or activate it first',
  },
  'flow/too-deep': {
    code: 2001,
    status: 409,
    zh: '子流程嵌套超过 {limit} 层',
    en: 'Processes call each other more than {limit} levels deep',
  },
  'flow/reminded': {
    code: 2801,
    status: 429,
    zh: '一小时内已催办过，请于 {until} 后再催办',
    en: 'They were reminded within the last hour; try again after {until}',
  },
  'flow/nothing-open': { code: 2201, status: 409, zh: '该流程没有待办理的任务', en: 'This process has no open task' },
})
export const refuseFlow = refuserOf(flowErrors)
