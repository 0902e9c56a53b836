import type { Label } from '#contract/kernel/label.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { secretMask } from '#contract/message/fit.ts'
import { smsSegments } from '#contract/message/wording.ts'
import { newId } from '#kernel/db/new-id.ts'
import { randomDigits } from '#kernel/random.ts'
import { insertSms, phoneOf } from '../data/sms.repo.ts'
import { inTenant, type MessageKit } from '../deps.ts'
import { problemText } from '../providers/problem-text.ts'
import { smsText } from '../templates/sms.ts'
import { codeTemplate, sendProblem, sendProblemWords } from './code-problem.ts'
import { deliver } from './deliver.ts'

type Said = Label & { readonly isOk: boolean }

/** Sends a code that opens nothing to the phone of an account, by the way that codes of candidates take. */
export const sendTrialCode = async (kit: MessageKit, tenantId: string, userId: string): Promise<Said> => {
  const made = await inTenant(kit, tenantId, async db => {
    const problem = await sendProblem(kit, db, codeTemplate)
    if (problem !== undefined) return sendProblemWords[problem].title
    const sealed = await phoneOf(db, userId)
    if (!sealed)
      return { zh: '您的账号没有手机号，请先在个人中心填写', en: 'Your account has no mobile number: enter one in your profile first' }
    const phone = kit.services.cipher.open(tenantId, { table: 'account', column: 'phone_sealed', rowId: userId }, sealed)
    const [id, code] = [await newId(db), randomDigits(6)]
    const site = await kit.deps.ownOrigin(db)
    const content = smsText(codeTemplate, { code }, site)
    await insertSms(db, {
      ...{ id, userId, content, params: { code }, shown: smsText(codeTemplate, { code: secretMask }, site) },
      examId: null,
      template: codeTemplate,
      phoneSealed: kit.services.cipher.seal(tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, phone),
      phoneMask: maskPhone(phone),
      segments: smsSegments(content),
    })
    return { id, mask: maskPhone(phone) }
  })
  if (!('id' in made)) return { ...made, isOk: false }
  const answer = await deliver(kit, tenantId, made.id, true)
  if (answer === undefined)
    return { zh: '短信未发出，原因见发送记录', en: 'The message was not sent: the list of messages says why', isOk: false }
  if (answer.ok) return { zh: `已发往 ${made.mask}，请查看手机`, en: `Sent to ${made.mask}: look at the phone`, isOk: true }
  if (answer.kind === 'unknown')
    return { zh: '服务商没有答复，是否送达不明', en: 'The provider has not answered: nobody knows whether it arrived', isOk: false }
  const why = problemText(answer)
  return { zh: `服务商拒绝：${why.zh}`, en: `Refused by the provider: ${why.en}`, isOk: false }
}
