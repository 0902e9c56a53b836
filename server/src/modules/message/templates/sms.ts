import { fillWording } from '#contract/message/wording.ts'

/** The signature that stands before the product's own texts. */
export const productSign = '考谱'

/** Texts of the product (domain 13.5): no id numbers, 70 characters where possible. A tenant may have words of its own for each. */
export const smsTemplates = {
  'login-code': '【考谱】验证码 {code}，5 分钟内有效，请勿告诉他人。',
  'account-approved': '【考谱】您的账号 {account} 已通过审核，可以登录。',
  'account-refused': '【考谱】您的账号 {account} 未通过审核：{reason}。',
  'account-change': '【考谱】有人申请{what}。如不是您本人申请，请打开 {site}/o/{key} 反对。',
  'statement-code': '【考谱】工作人员登记了您对“{what}”的陈述：{statement}。属实请告知确认码 {code}，不属实请勿告知。',
  'appeal-upheld': '【考谱】您的申诉 {no} 已通过，请用本手机号登录或重设密码。',
  'appeal-refused': '【考谱】您的申诉 {no} 未通过：{reason}。',
  'account-closed': '【考谱】您的账号已注销，感谢使用。',
  'signup-returned': '【考谱】{exam} 报名需修改 {count} 处，请于 {deadline} 前修改后重新提交。',
  'signup-refused': '【考谱】{exam} 资格审核未通过，可在 {deadline} 前登录查看原因。',
  'signup-passed': '【考谱】{exam} 审核通过，请于 {deadline} 前缴费 {amount} 元。',
  'pay-ends': '【考谱】{exam} 缴费将于 {deadline} 截止，逾期未缴费视为自动放弃。',
  'refund-done': '【考谱】已退费 {amount} 元，原路退回。',
  'ticket-released': '【考谱】{exam} 准考证可打印，时间 {begin} 至 {end}。',
  'ticket-waits': '【考谱】您尚未打印 {exam} 准考证，请于 {end} 前打印。',
  'group-signup':
    '【考谱】已为您填写 {exam} 报名信息，尚未提交，请于 {deadline} 前登录（未注册的先用本人手机号和证件号注册），补充材料并确认提交。',
  'post-reduced': '【考谱】{exam} 岗位 {post} 招聘人数调整为 {count} 人，您的报名不受影响。',
  'post-cancelled': '【考谱】{exam} 岗位 {post} 已取消，请于 {deadline} 前登录选择改报或退费。',
  'transfer-result': '【考谱】{exam} 改报 {post} {result}，请登录查看。',
  'recheck-call': '【考谱】{exam} 您已入围资格复审，请于 {deadline} 前登录确认，逾期视为放弃。',
  'substitute-call': '【考谱】{exam} 您已递补，请于 {deadline} 前登录确认，逾期视为放弃。',
  'result-released': '【考谱】{exam} 成绩已发布，请登录查看。',
  'ticket-changed': '【考谱】{exam} 准考证信息有变更，原准考证作废，请重新下载打印。',
  'result-corrected': '【考谱】{exam} 您的成绩已更正，请登录查看。',
  'proposal-made': '【考谱】{exam}：{what}。请于 {deadline} 前登录查看，可陈述申辩。',
} as const
export type SmsTemplate = keyof typeof smsTemplates
export const isProductTemplate = (name: string): name is SmsTemplate => Object.hasOwn(smsTemplates, name)

/** @param site - address of the installation, which is part of the words: no value of a message may be one */
export const smsText = (template: SmsTemplate, params: Readonly<Record<string, string>>, site = ''): string =>
  smsTemplates[template].replace(/\{(\w+)\}/g, (whole, name: string) => (name === 'site' ? site : (params[name] ?? whole)))

/** The product's text as a template of a provider has it: without the signature, with `${name}`. */
export const registeredText = (template: SmsTemplate, site: string): string =>
  smsTemplates[template]
    .replace(/^【[^】]+】/, '')
    .replace('{site}', site)
    .replace(/\{(\w+)\}/g, '$${$1}')

/** The text as the phone shows it. */
export const signedText = (sign: string, content: string, params: Readonly<Record<string, string>>): string =>
  `【${sign}】${fillWording(content, params)}`
