import type { Label } from '#contract/kernel/label.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { insertNotice } from '../data/notify.repo.ts'
import { noteServiceProblem } from '../data/service.repo.ts'
import { listAdministrators } from '../data/sms.repo.ts'
import { inTenant, type MessageKit } from '../deps.ts'
import type { SmsService } from '../providers/accounts.ts'
import type { SmsProblem } from '../providers/provider.ts'

type Problem = Pick<SmsProblem, 'kind' | 'code' | 'detail'>

/**
 * What our side or its account is to blame for: the screen of the services shows it, and administrators are told once a day for each code. Where the
 * platform's service has sent for a tenant without one, those of the platform are told: they can mend it.
 */
export const raiseSmsAlarm = async (kit: MessageKit, db: TenantDb, problem: Problem, { rowId, ownerId }: SmsService): Promise<void> => {
  if (rowId === null || ownerId === db.actor.tenantId) return tellOfProvider(db, problem, rowId)
  return inTenant(kit, ownerId, platform => tellOfProvider(platform, problem, rowId))
}

const tellOfProvider = async (db: TenantDb, { kind, code, detail }: Problem, rowId: string | null): Promise<void> => {
  if (rowId !== null) await noteServiceProblem(db, rowId, `${code} ${detail}`.trim())
  const isAccount = kind === 'account'
  await tellAdministrators(db, {
    code,
    title: isAccount
      ? { zh: '告警：短信账户异常，短信未发出', en: 'Alert: the account of text messages is in trouble, nothing was sent' }
      : { zh: '告警：短信被服务商拒绝', en: 'Alert: the provider refuses text messages' },
    content: isAccount
      ? {
          zh: `服务商答复 ${code}（${detail}）。请在服务商控制台检查密钥、余额和账户状态。`,
          en: `The provider says ${code} (${detail}). Look at keys, balance and state of the account at the provider.`,
        }
      : {
          zh: `服务商答复 ${code}（${detail}）。请检查签名和模板是否已在服务商处审核通过、变量是否一致。`,
          en: `The provider says ${code} (${detail}). Look whether signature and template are approved there, and whether the variables agree.`,
        },
  })
}

/** An alert about text messages to the administrators of the tenant, once a day for each code. */
export const tellAdministrators = async (
  db: TenantDb,
  { code, title, content }: { readonly code: string; readonly title: Label; readonly content: Label },
): Promise<void> => {
  for (const userId of await listAdministrators(db))
    await insertNotice(db, {
      ...{ userId, title, content },
      examId: null,
      kind: 7,
      link: '/resource/sms',
      eventKey: `sms-alarm:${toWireDay(db.now)}:${code}`.slice(0, 120),
    })
}
