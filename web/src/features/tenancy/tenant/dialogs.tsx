import { useState } from 'react'
import { instant, int, ref, text } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { upload } from '#web/kernel/upload.ts'
import { formFields } from '#web/resource/fields.ts'
import { FormDialog } from '#web/resource/form-dialog.tsx'
import type { FormSection, Values } from '#web/resource/schema-form.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { namesAndCount } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FileDrop, useSendFile } from '#web/ui/uploader.tsx'
import { tenantTexts } from './texts.ts'

export type Tenant = ApiOutput<'GET /blade-system/tenant/list'>['records'][number]
export type Made = ApiOutput<'POST /blade-system/tenant/submit'>

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

const label = (zh: string, en: string) => ({ zh, en })
const main = {
  tenantName: text(60, { label: label('租户名称', 'Tenant name'), required: true }),
  linkman: text(60, { label: label('联系人', 'Contact'), required: true }),
  contactNumber: text(60, { label: label('联系电话', 'Telephone') }),
  domain: text(255, {
    label: label('域名地址', 'Domain'),
    pattern: '^(https?://)?[A-Za-z0-9.-]{1,200}(:[0-9]{1,5})?$',
    help: label(
      '用这个域名打开的登录页属于本租户，如 zhaopin.example.cn',
      'A login page opened under this domain is the tenant’s: jobs.example.cn',
    ),
  }),
  titleZh: text(100, { label: label('登录页标题', 'Chinese title'), help: label('空白时使用平台名称', 'Empty: the name of the platform') }),
  titleEn: text(160, { label: label('英文标题', 'English title') }),
  address: text(255, { label: label('联系地址', 'Address'), widget: 'textarea' }),
} satisfies Fields
const licence = {
  accountNumber: int({
    label: label('账号额度', 'Accounts'),
    min: 1,
    max: 1_000_000,
    help: label('工作人员账号数，空白为不限', 'Members of staff; empty means any number'),
  }),
  expireTime: instant({ label: label('到期时间', 'Until'), help: label('空白为永久', 'Empty means without end'), isEnd: true }),
} satisfies Fields
const packageField = {
  packageId: ref('tenant-package', {
    label: label('租户套餐', 'Package'),
    help: label('限制租户可用的菜单，空白为不限', 'Bounds the menus of the tenant; empty means no bounds'),
  }),
} satisfies Fields
const first = {
  adminAccount: text(60, {
    label: label('管理员账号', 'Administrator’s account'),
    required: true,
    pattern: '^[A-Za-z0-9_.@-]{2,60}$',
    help: label('一次性密码在保存后显示', 'The one-time password is shown after saving'),
  }),
  adminName: text(50, { label: label('管理员姓名', 'Administrator’s name') }),
} satisfies Fields
const sections: readonly FormSection[] = [
  { key: 'main', label: label('基本信息', 'Main'), fields: Object.keys(main) },
  { key: 'first', label: label('管理员与授权', 'Administrator and quota'), fields: Object.keys({ ...first, ...licence, ...packageField }) },
]
const textOf = (value: unknown): string => String(value ?? '')

/** The one form that makes a tenant (decision of framework-contract 4.7), or what of it can be changed later. */
export const TenantDialog = ({
  row,
  onMade,
  onClose,
  onDone,
}: DialogProps & { readonly row: Tenant | null; readonly onMade: (made: Made) => void }) => {
  const t = useT(tenantTexts)
  const fields = formFields(row === null ? { ...main, ...first, ...licence, ...packageField } : main)
  const save = async (values: Values) => {
    const common = {
      tenantName: textOf(values.tenantName),
      linkman: textOf(values.linkman),
      contactNumber: textOf(values.contactNumber),
      domain: textOf(values.domain),
      titleZh: textOf(values.titleZh),
      titleEn: textOf(values.titleEn),
      address: textOf(values.address),
    }
    const made = await api.call(
      'POST /blade-system/tenant/submit',
      row === null
        ? {
            ...common,
            adminAccount: textOf(values.adminAccount),
            adminName: textOf(values.adminName),
            expireTime: textOf(values.expireTime),
            packageId: textOf(values.packageId),
            ...(values.accountNumber === null ? {} : { accountNumber: Number(values.accountNumber) }),
          }
        : { ...common, id: row.id, version: row.version },
      { quiet: 'fields' },
    )
    notify('success', t(row === null ? 'done.added' : 'done.updated'))
    onDone()
    if (row === null) onMade(made)
  }
  return (
    <FormDialog
      title={t(row === null ? 'add' : 'edit')}
      fields={fields}
      initial={row === null ? {} : { ...row }}
      mode={row === null ? 'add' : 'edit'}
      sections={row === null ? sections : undefined}
      onSubmit={save}
      onClose={onClose}
    />
  )
}

/** The only place where the first password is ever seen. */
export const MadeDialog = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => {
  const t = useT(tenantTexts)
  const items = [
    { key: 'number', label: t('number'), value: made.tenantId },
    { key: 'link', label: t('made.link'), value: `${location.origin}/login?tenantId=${made.tenantId}` },
    { key: 'account', label: t('made.account'), value: made.account },
    { key: 'password', label: t('made.password'), value: made.password },
  ]
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(items.map(item => `${item.label}: ${item.value}`).join('\n'))
      notify('success', t('made.copied'))
    } catch {
      notify('warning', t('made.copyFailed'))
    }
  }
  return (
    <ActionDialog title={t('made.title')} size="two" onClose={onClose}>
      <p>{t('made.lead')}</p>
      <Facts boxed items={items} />
      <button type="button" className="button" onClick={() => void copy()}>
        {t('made.copy')}
      </button>
    </ActionDialog>
  )
}

/** How many accounts and until when, for one tenant or several. */
export const LicenceDialog = ({ rows, onClose, onDone }: DialogProps & { readonly rows: readonly Tenant[] }) => {
  const t = useT(tenantTexts)
  const only = rows.length === 1 ? rows[0] : undefined
  const save = async (values: Values) => {
    const { endedSessions } = await api.call(
      'POST /blade-system/tenant/setting',
      {
        ids: rows.map(row => row.id).join(','),
        accountNumber: values.accountNumber === null ? -1 : Number(values.accountNumber),
        expireTime: textOf(values.expireTime),
      },
      { quiet: 'fields' },
    )
    notify('success', endedSessions === 0 ? t('licence.done') : t('licence.ended', { count: endedSessions }))
    onDone()
  }
  return (
    <FormDialog
      title={t('set.licence.of', { names: namesAndCount(rows.map(row => row.tenantName)) })}
      fields={formFields(licence)}
      initial={{ accountNumber: only && only.accountNumber > 0 ? only.accountNumber : null, expireTime: only?.expireTime || null }}
      mode="edit"
      onSubmit={save}
      onClose={onClose}
    />
  )
}

const sourceField = { datasourceId: ref('datasource', { label: label('数据源', 'Data source') }) } satisfies Fields

/** Which package bounds a tenant, or which data source its tools read. */
export const AssignDialog = ({
  row,
  what,
  onClose,
  onDone,
}: DialogProps & { readonly row: Tenant; readonly what: 'package' | 'source' }) => {
  const t = useT(tenantTexts)
  const save = async (values: Values) => {
    const { tenantId } = row
    await (what === 'package'
      ? api.call('POST /blade-system/tenant/package-setting', { tenantId, packageId: textOf(values.packageId) }, { quiet: 'fields' })
      : api.call('POST /blade-system/tenant/datasource', { tenantId, datasourceId: textOf(values.datasourceId) }, { quiet: 'fields' }))
    notify('success', t('done.updated'))
    onDone()
  }
  return (
    <FormDialog
      title={t(`set.${what}.of`, { name: row.tenantName })}
      fields={formFields(what === 'package' ? packageField : sourceField)}
      initial={{ packageId: row.packageId || null, datasourceId: row.datasourceId || null }}
      mode="edit"
      onSubmit={save}
      onClose={onClose}
    />
  )
}

const pictureBytes = 2 * 1024 * 1024
const kinds = ['logo', 'background'] as const

const Picture = ({
  row,
  kind,
  url,
  onUrl,
}: {
  readonly row: Tenant
  readonly kind: (typeof kinds)[number]
  readonly url: string
  readonly onUrl: (url: string) => void
}) => {
  const t = useT(tenantTexts)
  const path = '/blade-system/tenant/picture'
  const { sending, start } = useSendFile<{ readonly url: string }>(
    (file, progress) => upload(path, file, { ...progress, fields: { tenantId: row.tenantId, kind } }),
    answer => {
      onUrl(answer.url)
      notify('success', t('picture.done'))
    },
  )
  const reset = async () => {
    try {
      await api.call('POST /blade-system/tenant/picture', { tenantId: row.tenantId, kind, remove: 1 })
    } catch {
      return // The api client has said why.
    }
    onUrl('')
    notify('success', t('picture.done'))
  }
  return (
    <section className="tenant-picture" aria-label={t(`picture.${kind}`)}>
      <h3>{t(`picture.${kind}`)}</h3>
      {url === '' ? (
        <p>{t('picture.none')}</p>
      ) : (
        <div className="tenant-picture-now">
          <img src={url} alt={t(`picture.${kind}`)} data-kind={kind} />
          <button type="button" className="button" onClick={() => void reset()}>
            {t('picture.remove')}
          </button>
        </div>
      )}
      <FileDrop
        limits={{ types: ['jpg', 'png'], maxBytes: pictureBytes, shrink: true }}
        onFile={file => void start(file)}
        disabled={sending !== null && !sending.failed}
      />
    </section>
  )
}

/** Logo and background of a tenant's login page (S1.07). */
export const PicturesDialog = ({ row, onClose, onDone }: DialogProps & { readonly row: Tenant }) => {
  const t = useT(tenantTexts)
  const [urls, setUrls] = useState({ logo: row.logoUrl, background: row.backgroundUrl })
  return (
    <ActionDialog title={t('set.pictures.of', { name: row.tenantName })} onClose={onClose}>
      {kinds.map(kind => (
        <Picture
          key={kind}
          row={row}
          kind={kind}
          url={urls[kind]}
          onUrl={url => {
            setUrls(before => ({ ...before, [kind]: url }))
            onDone()
          }}
        />
      ))}
    </ActionDialog>
  )
}
