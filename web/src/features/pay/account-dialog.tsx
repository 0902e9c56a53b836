import { useState } from 'react'
import type { PayChannel } from '#contract/pay/channel.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput } from '#web/ui/labelled.tsx'
import { payTexts } from './texts.ts'

export type Accounts = ApiOutput<'GET /blade-exam/examination/getPayAccount'>
type TextKey = Extract<Exclude<keyof typeof payTexts.zh, 'account.trust.publicKey'>, `${'account' | 'alipay' | 'nontax'}.${string}`>

interface Entry {
  readonly name: string
  readonly label: TextKey
  /** Said where it is missing or does not fit; an entry without it may stay empty. */
  readonly bad?: TextKey
  readonly rule?: RegExp
  /** Goes in and is never shown; empty leaves the stored one. */
  readonly isKey?: boolean
  /** May stay empty although what is written has to fit. */
  readonly isOptional?: boolean
  readonly tidy?: (value: string) => string
  readonly input?: { readonly rows?: number; readonly maxLength?: number; readonly inputMode?: 'numeric'; readonly type?: 'password' }
}
const pem = { isKey: true, input: { rows: 4 } } as const
const secret = { isKey: true, input: { type: 'password', maxLength: 32 } } as const

const forms: Readonly<
  Record<PayChannel, { readonly title: TextKey; readonly lead: TextKey; readonly path: string; readonly entries: readonly Entry[] }>
> = {
  wechat: {
    title: 'account.edit',
    lead: 'account.lead',
    path: '/blade-exam/examination/savePayAccount',
    entries: [
      {
        ...{ name: 'mchid', label: 'account.mchid', bad: 'account.bad.mchid' },
        ...{ rule: /^\d{8,12}$/, input: { maxLength: 12, inputMode: 'numeric' } },
      },
      { name: 'appid', label: 'account.appid', bad: 'account.bad.appid', rule: /^wx[0-9a-z]{16}$/, input: { maxLength: 18 } },
      {
        ...{ name: 'merchantSerial', label: 'account.serial', bad: 'account.bad.merchantSerial' },
        ...{ rule: /^[0-9A-F]{8,64}$/, tidy: value => value.toUpperCase(), input: { maxLength: 64 } },
      },
      { name: 'privateKey', label: 'account.privateKey', bad: 'account.bad.privateKey', ...pem },
      { name: 'apiV3Key', label: 'account.apiKey', bad: 'account.bad.apiV3Key', rule: /^[0-9A-Za-z]{32}$/, ...secret },
      {
        ...{ name: 'appSecret', label: 'account.appSecret', bad: 'account.bad.appSecret' },
        ...{ rule: /^[0-9A-Za-z]{32}$/, isOptional: true, ...secret },
      },
      { name: 'publicKeyId', label: 'account.publicKeyId', isOptional: true, input: { maxLength: 80 } },
      { name: 'publicKey', label: 'account.publicKey', isOptional: true, ...pem },
    ],
  },
  alipay: {
    title: 'alipay.title',
    lead: 'alipay.lead',
    path: '/blade-exam/examination/saveAlipayAccount',
    entries: [
      {
        ...{ name: 'appId', label: 'alipay.appId', bad: 'alipay.bad.appId' },
        ...{ rule: /^20\d{14}$/, input: { maxLength: 16, inputMode: 'numeric' } },
      },
      {
        ...{ name: 'sellerId', label: 'alipay.sellerId', bad: 'alipay.bad.sellerId' },
        ...{ rule: /^2088\d{12}$/, input: { maxLength: 16, inputMode: 'numeric' } },
      },
      { name: 'privateKey', label: 'alipay.privateKey', bad: 'alipay.bad.privateKey', ...pem },
      { name: 'publicKey', label: 'alipay.publicKey', bad: 'alipay.bad.publicKey', ...pem },
    ],
  },
  nontax: {
    title: 'nontax.title',
    lead: 'nontax.lead',
    path: '/blade-exam/examination/saveNontaxAccount',
    entries: [
      { name: 'origin', label: 'nontax.origin', bad: 'nontax.bad.origin', rule: /^https?:\/\/./, input: { maxLength: 200 } },
      { name: 'appId', label: 'nontax.appId', bad: 'nontax.bad.appId', rule: /^[\w-]+$/, input: { maxLength: 40 } },
      { name: 'unitCode', label: 'nontax.unitCode', bad: 'nontax.bad.unitCode', rule: /^[0-9A-Za-z]+$/, input: { maxLength: 40 } },
      { name: 'itemCode', label: 'nontax.itemCode', bad: 'nontax.bad.itemCode', rule: /^[0-9A-Za-z]+$/, input: { maxLength: 40 } },
      { name: 'privateKey', label: 'nontax.privateKey', bad: 'nontax.bad.privateKey', ...pem },
      { name: 'publicKey', label: 'nontax.publicKey', bad: 'nontax.bad.publicKey', ...pem },
    ],
  },
}

/** The numbers and keys of the office at one provider, as its console has them. */
export const AccountDialog = ({
  channel,
  accounts,
  onClose,
  onDone,
}: {
  readonly channel: PayChannel
  readonly accounts: Pick<Accounts, 'account' | 'alipay' | 'nontax'>
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(payTexts)
  const { title, lead, path, entries } = forms[channel]
  const stored: Readonly<Record<string, unknown>> | null = channel === 'wechat' ? accounts.account : accounts[channel]
  const storedH5 = accounts.account?.h5 === 1
  const [start] = useState(() => Object.fromEntries(entries.map(({ name, isKey }) => [name, isKey ? '' : String(stored?.[name] ?? '')])))
  const [values, setValues] = useState(start)
  const [h5, setH5] = useState(storedH5)
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const body: Record<string, string | number> = channel === 'wechat' ? { h5: h5 ? 1 : 0 } : {}
    const problems: Record<string, string> = {}
    for (const { name, bad, rule, isKey, isOptional, tidy } of entries) {
      const written = (values[name] ?? '').trim()
      const value = tidy ? tidy(written) : written
      const mayBeEmpty = isOptional || (isKey && stored !== null)
      if (bad !== undefined && (value === '' ? !mayBeEmpty : rule?.test(value) === false)) problems[name] = t(bad)
      if (value !== '') body[name] = value
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    try {
      await api.request({ method: 'POST', path, body, quiet: 'fields' })
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t('account.saved'))
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t(title)}
      actions={[{ label: t('action.save'), run: send }]}
      hasChanges={() => h5 !== storedH5 || JSON.stringify(values) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <p>{t(lead)}</p>
      {entries.map(({ name, label, isKey, input }) => (
        <LabelledInput
          key={name}
          label={`${t(label)}${isKey && stored !== null ? t('account.kept') : ''}`}
          value={values[name] ?? ''}
          onChange={value => setValues(before => ({ ...before, [name]: value }))}
          error={wrong[name]}
          {...input}
        />
      ))}
      {channel === 'wechat' ? <Check label={t('account.h5.opened')} on={h5} onChange={setH5} /> : null}
    </ActionDialog>
  )
}
