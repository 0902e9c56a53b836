import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { StorageFault } from '#kernel/files/storage-fault.ts'
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

/** Files cannot be stored or read: the administrators of the platform, and of the tenant that met it, are told once a day for each kind. */
export const tellOfStorage = async (kit: MessageKit, { kind, why }: StorageFault, tenantId: string | undefined): Promise<void> => {
  const title = {
    full: { zh: '告警：存储空间已满，文件无法保存', en: 'Alert: there is no room left, files cannot be stored' },
    broken: { zh: '告警：文件存储出错，文件无法存取', en: 'Alert: the place of files fails, they can be neither stored nor read' },
    damaged: { zh: '告警：存储中的文件缺失或损坏', en: 'Alert: a stored file is missing or damaged' },
  }[kind]
  const content = {
    zh: `${why.zh}。受影响的操作都没有保存任何内容，可以重试。请检查磁盘或存储服务（资源管理 › 存储管理）；运维手册 watch.md 说明如何处理。`,
    en: `${why.en[0]?.toUpperCase()}${why.en.slice(1)}. Nothing of the calls concerned was kept, they can be tried again. Look at the disk or the storage service (Resources › Storage); watch.md says what to do.`,
  }
  for (const to of new Set([platformTenant, tenantId ?? platformTenant]))
    await inTenant(kit, to, async db => {
      for (const userId of await listAdministrators(db))
        await insertNotice(db, {
          ...{ userId, title, content },
          examId: null,
          kind: 7,
          link: '/resource/oss',
          eventKey: `storage-alarm:${toWireDay(db.now)}:${kind}:${why.en}`.slice(0, 120),
        })
    })
}
