import { markOf } from '../kernel/field-rule.ts'
import { defineErrors, refuserOf } from '../kernel/refusal.ts'
import { signupNoun } from '../signup/signup.noun.ts'

const nameMark = markOf(signupNoun, 'name')

/** Refusals from the re-review to the hire; numbers of domain 13.2. */
export const selectionErrors = defineErrors({
  'selection/not-released': {
    code: 2403,
    status: 409,
    zh: '笔试成绩尚未发布，不能确定入围人员：{papers}',
    en: 'The written results are not released, so there is no shortlist: {papers}',
  },
  'selection/interview-not-released': {
    code: 2403,
    status: 409,
    zh: '成绩尚未全部发布，不能确定体检人员：{papers}',
    en: 'Not all results are released, so nobody can be chosen for the medical check: {papers}',
  },
  'selection/nobody': { code: 2201, status: 409, zh: '没有需要通知的入围人员', en: 'Nobody on the shortlist has to be called' },
  'selection/nobody-open': { code: 2201, status: 409, zh: '没有可进入体检的人员', en: 'Nobody can enter the medical check' },
  'selection/deadline-past': { code: 400, status: 400, zh: '确认期限须晚于现在', en: 'The deadline must be later than now' },
  'selection/state': {
    code: 2201,
    status: 409,
    tells: { name: nameMark },
    zh: '{name} 现为“{state}”，不能{event}，请刷新',
    en: '{name} is “{state}” now, so this is not possible ({event}); reload',
  },
  'selection/same-reviewer': {
    code: 2205,
    status: 403,
    zh: '您审核过这份报名，资格复审须由另一人进行',
    en: 'You reviewed this sign-up before, so somebody else has to re-review it',
  },
  'selection/remark-required': { code: 400, status: 400, zh: '请填写原因', en: 'Please give the reason' },
  'selection/advice-required': {
    code: 400,
    status: 400,
    zh: '补充材料时请至少写明一项需要补充的内容',
    en: 'Name at least one thing that has to be handed in',
  },
  'selection/papers-missing': {
    code: 2106,
    status: 422,
    zh: '必交材料未提交：{files}。仍要通过的，请填写理由',
    en: 'Required papers were not handed in: {files}. To pass all the same, give the reason',
  },
  'selection/statement-how': {
    code: 400,
    status: 400,
    zh: '登记本人陈述的，须注明陈述方式和时间；时间不早于提议，不晚于现在',
    en: 'With what the person said, say how and when they said it: not before the proposal and not after now',
  },
  'selection/not-proven': {
    code: 2201,
    status: 409,
    zh: '没有送达凭证，不能视为放弃：须本人在系统中已阅或已确认，或电话已告知，或短信送达且有电话记录，或电话联系满 {contacts} 次',
    en: 'There is no proof of notice, so nobody counts as giving up: it needs a receipt in the system, a telephone call that reached the person, a text message that arrived together with a call, or {contacts} calls',
  },
  'selection/call-closed': {
    code: 2201,
    status: 409,
    zh: '确认期限已过（{deadline}），请联系招聘单位',
    en: 'The time to answer ended at {deadline}; please contact the office',
  },
  'selection/call-answered': { code: 2201, status: 409, zh: '这项通知已处理：{state}', en: 'This call was dealt with already: {state}' },
  'selection/confirm-word': {
    code: 400,
    status: 400,
    zh: '放弃不能撤回，请输入“放弃”以确认',
    en: 'Giving up cannot be undone: type “give up” to confirm',
  },
  'selection/files-closed': { code: 2201, status: 409, zh: '现在不能提交复审材料', en: 'Papers for the re-review cannot be handed in now' },
  'selection/files': { code: 2106, status: 422, zh: '{first}', en: '{first}' },
  'selection/wrong-stage': {
    code: 2201,
    status: 409,
    tells: { names: nameMark },
    zh: '{names} 不在“{stage}”环节或已有结论，没有保存任何结果',
    en: 'Not at this stage ({stage}) or decided already: {names}. Nothing was saved',
  },
  'selection/recheck-stage': { code: 400, status: 400, zh: '只有体检可以复检', en: 'Only the medical check has a second try' },
  'selection/recheck-late': {
    code: 2201,
    status: 409,
    zh: '复检只能申请一次，且须在 {deadline} 前提出',
    en: 'A second check can be asked for once, until {deadline}',
  },
  'selection/no-publicity': {
    code: 2201,
    status: 409,
    tells: { names: nameMark },
    zh: '{names} 尚未完成公示：拟聘用名单须公示满 {days} 个工作日',
    en: 'The publicity of {names} is not complete: the list has to be public for {days} working days',
  },
  'selection/objection-open': {
    code: 2201,
    status: 409,
    tells: { names: nameMark },
    zh: '{names} 有未核查完的异议，不能通过公示',
    en: 'There are objections to {names} that are not looked into yet',
  },
  'selection/objection-stage': {
    code: 2201,
    status: 409,
    zh: '只能对公示中的人员登记异议',
    en: 'Objections are recorded for people whose list is public',
  },
  'selection/objection-done': { code: 2201, status: 409, zh: '该异议已核查', en: 'This objection was looked into already' },
  'selection/not-disqualified': {
    code: 2201,
    status: 409,
    tells: { name: nameMark },
    zh: '{name} 现为“{state}”，只有已取消资格的报名可以恢复，请刷新',
    en: '{name} is “{state}” now; only a disqualified sign-up can be restored. Reload',
  },
  'selection/restore-waiting': {
    code: 2201,
    status: 409,
    zh: '已有一项恢复资格的提议等待决定',
    en: 'A proposal to restore this sign-up waits for a decision already',
  },
  'selection/restore-decided': { code: 2201, status: 409, zh: '这项提议已有决定', en: 'This proposal was decided already' },
  'selection/restore-own': {
    code: 2205,
    status: 403,
    zh: '恢复资格须由两人办理，您提出的提议须由另一人决定',
    en: 'Restoring takes two people: somebody else has to decide on your proposal',
  },
  'selection/not-passed': {
    code: 2201,
    status: 409,
    tells: { name: nameMark },
    zh: '{name} 现为“{state}”，只有审核通过的报名可以取消资格，请刷新',
    en: '{name} is “{state}” now; only a sign-up that has passed can be disqualified. Reload',
  },
  'selection/disqualify-waiting': {
    code: 2201,
    status: 409,
    zh: '已有一项取消资格的提议等待决定',
    en: 'A proposal to disqualify this sign-up waits for a decision already',
  },
  'selection/disqualify-decided': { code: 2201, status: 409, zh: '这项提议已有决定', en: 'This proposal was decided already' },
  'selection/disqualify-own': {
    code: 2205,
    status: 403,
    zh: '取消资格须由两人办理，您提出的提议须由另一人决定',
    en: 'Disqualifying takes two people: somebody else has to decide on your proposal',
  },
  'selection/disqualify-early': {
    code: 2201,
    status: 409,
    zh: '本人可在 {time} 前陈述、申辩；期满前只有登记了本人的陈述才能取消资格',
    en: 'The person may answer until {time}; before that it takes what they said to disqualify',
  },
  'selection/disqualify-moving': {
    code: 2201,
    status: 409,
    zh: '该考生正在改报，请等改报结束，或先将其移出改报名单',
    en: 'This person is moving to another post; wait until that has ended, or take them off the list first',
  },
  'selection/disqualify-hired': {
    code: 2201,
    status: 409,
    zh: '该考生已聘用，不能取消报名资格，请按聘用管理规定办理',
    en: 'This person is hired already; the sign-up cannot be disqualified any more',
  },
  'selection/tied': {
    code: 2201,
    status: 409,
    zh: '岗位 {code} 有 {count} 人同为第 {rank} 名而名额只剩 {places} 个，请勾选进入体检的人员',
    en: 'Post {code}: {count} people share rank {rank} and {places} places are left; choose who enters the medical check',
  },
  'selection/still-open': {
    code: 2201,
    status: 409,
    zh: '还有 {count} 人未有结论，不能结束',
    en: '{count} people are not decided on yet, so the recruitment cannot end',
  },
  'selection/confirm-code': {
    code: 400,
    status: 400,
    zh: '请输入本场考试的考试编码以确认',
    en: 'Type the code of this examination to confirm',
  },
})
export const refuseSelection = refuserOf(selectionErrors)
