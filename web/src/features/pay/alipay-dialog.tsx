import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { payTexts } from './texts.ts'

type Account = ApiOutput<'GET /blade-exam/examination/getPayAccount'>['alipay']
const rules = { appId: /^20\d{14}$/, sellerId: /^2088\d{12}$/ } as const
const names = ['appId', 'sellerId', 'privateKey', 'publicKey'] as const

/** The application in the console of Alipay; an empty key leaves the stored one. */
export const AlipayDialog = ({
  account,
  onClose,
  onDone,
}: {
  readonly account: Account
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(payTexts)
  const [start] = useState(() => ({ appId: account?.appId ?? '', sellerId: account?.sellerId ?? '', privateKey: '', publicKey: '' }))
  const [values, setValues] = useState(start)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const clean = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as typeof values
    const problems: Record<string, string> = {}
    for (const name of ['appId', 'sellerId'] as const) if (!rules[name].test(clean[name])) problems[name] = t(`alipay.bad.${name}`)
    for (const name of ['privateKey', 'publicKey'] as const)
      if (clean[name] === '' && account === null) problems[name] = t(`alipay.bad.${name}`)
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    const { privateKey, publicKey, ...numbers } = clean
    const keys = Object.fromEntries(Object.entries({ privateKey, publicKey }).filter(([, value]) => value !== ''))
    try {
      await api.call('POST /blade-exam/examination/saveAlipayAccount', { ...numbers, ...keys }, { quiet: 'fields' })
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
      title={t('alipay.title')}
      actions={[{ label: t('action.save'), run: send }]}
      hasChanges={() => JSON.stringify(values) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <p>{t('alipay.lead')}</p>
      {names.map(name => (
        <LabelledInput
          key={name}
          label={`${t(`alipay.${name}`)}${account !== null && name.endsWith('Key') ? t('account.kept') : ''}`}
          value={values[name]}
          onChange={value => setValues(before => ({ ...before, [name]: value }))}
          error={wrong[name]}
          {...(name.endsWith('Key') ? { rows: 4 } : { maxLength: 16, inputMode: 'numeric' as const })}
        />
      ))}
    </ActionDialog>
  )
}
