import { registeredText, type SmsTemplate, smsTemplates } from './sms.ts'

/** The account of a demo's tenants at the emulated provider. It opens nothing else. */
export const demoSmsAccount = { accessKey: 'LTAI-demo', secretKey: 'demo-secret', appId: '1400000000', signName: '考谱' } as const

export interface TemplateSeed {
  readonly code: string
  readonly name: string
  readonly scene: string
  readonly title: string
  readonly content: string
  readonly titleEn: string
  readonly contentEn: string
  readonly templateId: string
}

/**
 * The product's own texts under the numbers that the emulated provider has for them.
 * @param site - address of the installation, as `https://exam.example.cn`
 */
export const smsSceneSeeds = (site: string): readonly (Pick<TemplateSeed, 'templateId' | 'content'> & { readonly scene: SmsTemplate })[] =>
  (Object.keys(smsTemplates) as SmsTemplate[]).map((scene, place) => ({
    ...{ scene, content: registeredText(scene, site), templateId: `SMS_${900_100_001 + place}` },
  }))

/** Messages to many that a tenant begins with. */
export const batchTemplateSeeds: readonly TemplateSeed[] = [
  {
    code: 'pay-soon',
    name: '缴费提醒',
    scene: 'batch',
    title: '缴费即将截止',
    content: '${name}您好，${exam}缴费将于${deadline}截止，逾期未缴费视为自动放弃。',
    titleEn: 'Payment ends soon',
    contentEn: '${name}, payments of ${exam} end at ${deadline}. Whoever has not paid by then gives up the place.',
    templateId: 'SMS_900200001',
  },
  {
    code: 'print-ticket',
    name: '打印准考证提醒',
    scene: 'batch',
    title: '请打印准考证',
    content: '${name}您好，您尚未打印${exam}准考证，请及时登录打印。',
    titleEn: 'Please print your ticket',
    contentEn: '${name}, you have not printed your ticket of ${exam} yet.',
    templateId: 'SMS_900200002',
  },
  {
    code: 'shortlist',
    name: '入围通知',
    scene: 'batch',
    title: '入围资格复审',
    content: '${name}您好，您已入围${exam}资格复审，请登录查看时间和要求。',
    titleEn: 'You are shortlisted',
    contentEn: '${name}, you are shortlisted for the re-review of ${exam}. Time and requirements stand in your account.',
    templateId: 'SMS_900200003',
  },
  {
    code: 'exam-note',
    name: '考试提醒',
    scene: 'batch',
    title: '考试提醒',
    content: '${name}您好，${exam}：${note}。',
    titleEn: 'About your examination',
    contentEn: '${name}, ${exam}: ${note}.',
    templateId: 'SMS_900200004',
  },
]
