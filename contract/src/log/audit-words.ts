import { importKindOf } from '../kernel/import-kind.ts'
import type { Label } from '../kernel/label.ts'
import type { TrailWords } from '../kernel/trail-words.ts'
import { resources } from '../nouns.ts'
import { trailWords } from '../word-files.ts'

const all = <T>(of: (words: TrailWords) => Readonly<Record<string, T>> | undefined): Readonly<Record<string, T>> =>
  Object.fromEntries(trailWords.flatMap(words => Object.entries(of(words) ?? {})))

/** What an audit line is about, by the first part of its code (`region.exported`). */
const nouns: Readonly<Record<string, Label>> = {
  ...Object.fromEntries(resources.map(({ name, label }) => [name, label])),
  ...all(words => words.nouns),
}

/** What was done, by the second part; of an import, what came in. */
const verbs: Readonly<Record<string, Label>> = {
  ...Object.fromEntries(resources.flatMap(resource => importKindOf(resource) ?? []).map(({ kind, trail }) => [kind, trail])),
  ...all(words => words.verbs),
  abnormal: { zh: '退费异常', en: 'abnormal' },
  amountMismatch: { zh: '金额不符', en: 'the amount differs' },
  added: { zh: '新增', en: 'added' },
  allocated: { zh: '分配', en: 'allocated' },
  'seated-late': { zh: '补排座位', en: 'seated late' },
  allotted: { zh: '分配审核', en: 'allotted' },
  approved: { zh: '同意', en: 'approved' },
  archived: { zh: '归档', en: 'archived' },
  'audit-passed': { zh: '审核通过', en: 'passed' },
  'audit-refused': { zh: '审核拒绝', en: 'refused' },
  bound: { zh: '绑定第三方', en: 'bound to a provider' },
  cancelled: { zh: '取消', en: 'cancelled' },
  changed: { zh: '变更', en: 'changed' },
  checked: { zh: '核验', en: 'checked' },
  cleared: { zh: '清除', en: 'cleared' },
  closed: { zh: '关闭', en: 'closed' },
  'closing-cancelled': { zh: '撤销注销', en: 'closing cancelled' },
  'closing-requested': { zh: '申请注销', en: 'closing requested' },
  confirmed: { zh: '确认', en: 'confirmed' },
  conflict: { zh: '支付冲突', en: 'conflicting payment' },
  'ranked-anew': { zh: '重新排名', en: 'ranked anew' },
  corrected: { zh: '更正', en: 'corrected' },
  'correction-proposed': { zh: '提出更正', en: 'correction proposed' },
  'correction-rejected': { zh: '驳回更正', en: 'correction rejected' },
  created: { zh: '创建', en: 'created' },
  datasource: { zh: '设置数据源', en: 'data source set' },
  deleted: { zh: '删除', en: 'deleted' },
  disabled: { zh: '停用', en: 'disabled' },
  'dues-moved': { zh: '缴费截止时间调整', en: 'ends of dues moved' },
  duplicate: { zh: '重复支付', en: 'paid twice' },
  downloaded: { zh: '下载', en: 'downloaded' },
  'edits-dropped': { zh: '放弃未提交的改动', en: 'changes let go' },
  enabled: { zh: '启用', en: 'enabled' },
  'examine-undone': { zh: '撤销审核', en: 'decision undone' },
  examined: { zh: '审核', en: 'examined' },
  'exports-stopped': { zh: '暂停导出', en: 'exports stopped' },
  exported: { zh: '导出', en: 'exported' },
  extended: { zh: '延长缴费', en: 'time to pay extended' },
  'fields-ruled': { zh: '设置字段权限', en: 'fields ruled' },
  granted: { zh: '授权', en: 'granted' },
  'hours-set': { zh: '设置工作时间', en: 'office hours set' },
  'self-registered': { zh: '自行注册', en: 'registered by themselves' },
  'guest-registered': { zh: '访客注册', en: 'guest registered' },
  imported: { zh: '导入', en: 'imported' },
  'invoice-changed': { zh: '修改发票', en: 'invoice changed' },
  kicked: { zh: '强制下线', en: 'kicked out' },
  lapsed: { zh: '逾期', en: 'lapsed' },
  'late-accepted': { zh: '接受逾期支付', en: 'late payment accepted' },
  'handed-over': { zh: '移交本人', en: 'handed over to its owner' },
  'id-card-released': { zh: '解除证件号绑定', en: 'id number removed' },
  'phone-released': { zh: '解除手机号绑定', en: 'mobile number removed' },
  sent: { zh: '提交', en: 'sent' },
  late: { zh: '逾期支付', en: 'late payment' },
  'leader-set': { zh: '设置负责人', en: 'leader set' },
  'licence-set': { zh: '设置授权', en: 'licence set' },
  'main-set': { zh: '设置主菜单', en: 'main menu set' },
  merchantMismatch: { zh: '商户号不符', en: 'the merchant differs' },
  refundedOutside: { zh: '已在商户平台退费', en: 'refunded in the merchant console' },
  outside: { zh: '商户平台退费', en: 'refunded in the merchant console' },
  'lock-planned': { zh: '预定锁定', en: 'to be locked' },
  locked: { zh: '锁定', en: 'locked' },
  notOwed: { zh: '无需缴费', en: 'nothing was owed' },
  none: { zh: '无变化', en: 'no change' },
  'opened-for-review': { zh: '打开审核', en: 'opened for review' },
  package: { zh: '设置套餐', en: 'package set' },
  passed: { zh: '通过', en: 'passed' },
  'paid-out': { zh: '登记已转账退回', en: 'transfer back recorded' },
  'password-changed': { zh: '修改密码', en: 'password changed' },
  'password-reset-by-owner': { zh: '本人重设密码', en: 'password reset by its owner' },
  'password-reset': { zh: '重置密码', en: 'password reset' },
  'password-set': { zh: '设置密码', en: 'password set' },
  pay: { zh: '支付', en: 'paid' },
  'picture-set': { zh: '设置图片', en: 'picture set' },
  'platform-updated': { zh: '修改平台信息', en: 'platform data updated' },
  postedAfterClose: { zh: '关闭后到账', en: 'posted after closing' },
  posted: { zh: '入账', en: 'posted' },
  'posting-entered': { zh: '登记入账', en: 'posting entered' },
  printed: { zh: '打印', en: 'printed' },
  'profile-changed': { zh: '修改资料', en: 'profile changed' },
  'pull-back-switched': { zh: '切换可撤回', en: 'pull-back switched' },
  'backed-up': { zh: '已备份', en: 'backed up' },
  held: { zh: '暂停对外发送', en: 'held back' },
  'clock-off': { zh: '时钟不一致', en: 'clock off' },
  'clock-right': { zh: '时钟恢复一致', en: 'clock right again' },
  accepted: { zh: '接受新的密钥或数据目录', en: 'new secrets or data folder accepted' },
  'key-rotated': { zh: '更换密钥', en: 'secret rotated' },
  'proof-wrong': { zh: '身份验证失败', en: 'proof of identity failed' },
  purged: { zh: '清理', en: 'purged' },
  raised: { zh: '触发', en: 'raised' },
  read: { zh: '查看', en: 'read' },
  'recovery-code-used': { zh: '使用恢复码', en: 'recovery code used' },
  'recovery-codes-made': { zh: '生成恢复码', en: 'recovery codes made' },
  recycled: { zh: '移入回收站', en: 'moved to the bin' },
  refused: { zh: '拒绝', en: 'refused' },
  registered: { zh: '注册', en: 'registered' },
  rejected: { zh: '驳回', en: 'rejected' },
  'restore-acknowledged': { zh: '确认恢复', en: 'restore acknowledged' },
  'release-scheduled': { zh: '定时发布', en: 'release scheduled' },
  'release-skipped': { zh: '跳过发布', en: 'release skipped' },
  released: { zh: '发布', en: 'released' },
  removed: { zh: '删除', en: 'removed' },
  'render-cancelled': { zh: '取消生成', en: 'rendering cancelled' },
  'refresh-replayed': { zh: '登录凭证被重复使用', en: 'login token used again' },
  'render-ordered': { zh: '生成', en: 'rendering ordered' },
  reopened: { zh: '重新开启', en: 'opened again' },
  repeat: { zh: '重复通知', en: 'repeated notice' },
  requested: { zh: '申请', en: 'requested' },
  reset: { zh: '恢复默认', en: 'reset' },
  resubmitted: { zh: '重新提交', en: 'submitted again' },
  'reveal-blocked': { zh: '查看明文被拒', en: 'reveal blocked' },
  revealed: { zh: '查看明文', en: 'revealed' },
  'roles-granted': { zh: '配置角色', en: 'roles set' },
  'rows-viewed': { zh: '查看数据', en: 'rows viewed' },
  saved: { zh: '保存', en: 'saved' },
  sealed: { zh: '封存', en: 'sealed' },
  'second-factor-changed': { zh: '更换二次验证', en: 'second factor changed' },
  'second-factor-off': { zh: '关闭二次验证', en: 'second factor off' },
  'second-factor-on': { zh: '开启二次验证', en: 'second factor on' },
  'second-factor-reset': { zh: '重置二次验证', en: 'second factor reset' },
  'secret-renewed': { zh: '更换密钥', en: 'secret renewed' },
  'seed-published': { zh: '公布随机种子', en: 'seed published' },
  'shut-out': { zh: '密码错误锁定', en: 'locked by wrong passwords' },
  sorted: { zh: '排序', en: 'sorted' },
  'status-changed': { zh: '修改状态', en: 'status changed' },
  stored: { zh: '保存', en: 'stored' },
  submitted: { zh: '提交', en: 'submitted' },
  succeeded: { zh: '退费成功', en: 'succeeded' },
  suspense: { zh: '挂账', en: 'put in suspense' },
  'switched-off': { zh: '停用', en: 'switched off' },
  'switched-on': { zh: '启用', en: 'switched on' },
  taken: { zh: '开始核查', en: 'being looked at' },
  'taken-back': { zh: '撤回申请', en: 'request taken back' },
  fitted: { zh: '调整退费金额', en: 'amount adjusted to what is left' },
  unlocked: { zh: '解锁', en: 'unlocked' },
  updated: { zh: '修改', en: 'updated' },
  'verified-changed': { zh: '变更核验信息', en: 'verified data changed' },
  viewed: { zh: '查看', en: 'viewed' },
  voided: { zh: '作废', en: 'voided' },
  withdrawn: { zh: '撤回', en: 'withdrawn' },
}

/** What can have been done, as the second part of a code has it: what a search chooses from. */
export const auditDeeds: readonly string[] = Object.keys(verbs).sort()
/** What was done, in words. */
export const deedWords = (deed: string): Label | null => (Object.hasOwn(verbs, deed) ? (verbs[deed] ?? null) : null)

/** `行政区划 · 导出` for `region.exported`; null for a code that nobody has given words. */
export const auditWords = (action: string): Label | null => {
  const [noun = '', verb = ''] = action.split('.')
  const [of, done] = [Object.hasOwn(nouns, noun) ? nouns[noun] : undefined, deedWords(verb)]
  return of === undefined || done === null ? null : { zh: `${of.zh} · ${done.zh}`, en: `${of.en} · ${done.en}` }
}

/** Names of rows that differ from the noun of their codes. */
const rows: Readonly<Record<string, string>> = all(words => words.rows)

/** What a line is about (`stored_file`), in words; null for what nobody has given any. */
export const entityWords = (entity: string): Label | null => {
  const name = entity.replaceAll('_', '-')
  if (name.startsWith('log-')) return nouns['log'] ?? null
  const own = Object.hasOwn(rows, name) ? rows[name] : undefined
  const noun = [own, name, name.replaceAll('-', '')].find(one => one !== undefined && Object.hasOwn(nouns, one))
  return noun === undefined ? null : (nouns[noun] ?? null)
}

/** What lines can be about, as the trail has it: what a search chooses from (tools/audit-words.test.ts compares it with the sources). */
export const auditEntities: readonly string[] = [
  ...resources.map(({ name }) => name),
  ...trailWords.flatMap(({ entities = [] }) => entities),
].sort()
