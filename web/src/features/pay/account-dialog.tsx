import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, LabelledInput } from '#web/ui/labelled.tsx'
import { payTexts } from './texts.ts'

type Account = ApiOutput<'GET /blade-exam/examination/getPayAccount'>['account']
const rules = { mchid: /^\d{8,12}$/, appid: /^wx[0-9a-z]{16}$/, merchantSerial: /^[0-9A-F]{8,64}$/ } as const

/** The numbers and keys of the provider's console; an empty key leaves the stored one. */
export const AccountDialog = ({
  account,
  onClose,
  onDone,
}: {
  readonly account: Account
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(payTexts)
  const [start] = useState(() => ({
    mchid: account?.mchid ?? '',
    appid: account?.appid ?? '',
    merchantSerial: account?.merchantSerial ?? '',
    privateKey: '',
    apiV3Key: '',
    appSecret: '',
    publicKeyId: account?.publicKeyId ?? '',
    publicKey: '',
  }))
  const [values, setValues] = useState(start)
  const [h5, setH5] = useState(account?.h5 === 1)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const set = (name: keyof typeof start) => (value: string) => setValues(before => ({ ...before, [name]: value }))
  const send = async (): Promise<boolean> => {
    const clean = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as typeof values
    const problems: Record<string, string> = {}
    for (const name of ['mchid', 'appid', 'merchantSerial'] as const)
      if (!rules[name].test(name === 'merchantSerial' ? clean[name].toUpperCase() : clean[name])) problems[name] = t(`account.bad.${name}`)
    if (clean.privateKey === '' && account === null) problems.privateKey = t('account.bad.privateKey')
    if (clean.apiV3Key === '' ? account === null : !/^[0-9A-Za-z]{32}$/.test(clean.apiV3Key)) problems.apiV3Key = t('account.bad.apiV3Key')
    if (clean.appSecret !== '' && !/^[0-9A-Za-z]{32}$/.test(clean.appSecret)) problems.appSecret = t('account.bad.appSecret')
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    const { privateKey, apiV3Key, appSecret, publicKeyId, publicKey, ...numbers } = clean
    const optional = Object.fromEntries(
      Object.entries({ privateKey, apiV3Key, appSecret, publicKeyId, publicKey }).filter(([, value]) => value !== ''),
    )
    try {
      await api.call(
        'POST /blade-exam/examination/savePayAccount',
        { ...numbers, merchantSerial: numbers.merchantSerial.toUpperCase(), h5: h5 ? 1 : 0, ...optional },
        { quiet: 'fields' },
      )
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t('account.saved'))
    onDone()
    return true
  }
  const kept = account === null ? '' : t('account.kept')
  return (
    <ActionDialog
      title={t('account.edit')}
      actions={[{ label: t('action.save'), run: send }]}
      hasChanges={() => h5 !== (account?.h5 === 1) || JSON.stringify(values) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <p>{t('account.lead')}</p>
      <LabelledInput
        label={t('account.mchid')}
        value={values.mchid}
        onChange={set('mchid')}
        error={wrong.mchid}
        maxLength={12}
        inputMode="numeric"
      />
      <LabelledInput label={t('account.appid')} value={values.appid} onChange={set('appid')} error={wrong.appid} maxLength={18} />
      <LabelledInput
        label={t('account.serial')}
        value={values.merchantSerial}
        onChange={set('merchantSerial')}
        error={wrong.merchantSerial}
        maxLength={64}
      />
      <LabelledInput
        label={`${t('account.privateKey')}${kept}`}
        value={values.privateKey}
        onChange={set('privateKey')}
        error={wrong.privateKey}
        rows={4}
      />
      <LabelledInput
        label={`${t('account.apiKey')}${kept}`}
        value={values.apiV3Key}
        onChange={set('apiV3Key')}
        error={wrong.apiV3Key}
        type="password"
        maxLength={32}
      />
      <LabelledInput
        label={`${t('account.appSecret')}${kept}`}
        value={values.appSecret}
        onChange={set('appSecret')}
        error={wrong.appSecret}
        type="password"
        maxLength={32}
      />
      <Check label={t('account.h5')} on={h5} onChange={setH5} />
      <LabelledInput
        label={t('account.publicKeyId')}
        value={values.publicKeyId}
        onChange={set('publicKeyId')}
        error={wrong.publicKeyId}
        maxLength={80}
      />
      <LabelledInput
        label={`${t('account.publicKey')}${kept}`}
        value={values.publicKey}
        onChange={set('publicKey')}
        error={wrong.publicKey}
        rows={4}
      />
    </ActionDialog>
  )
}
