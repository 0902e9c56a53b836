import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { payTexts } from './texts.ts'

type Account = ApiOutput<'GET /blade-exam/examination/getPayAccount'>['nontax']
const rules = { origin: /^https?:\/\/./, appId: /^[\w-]+$/, unitCode: /^[0-9A-Za-z]+$/, itemCode: /^[0-9A-Za-z]+$/ } as const
const numbersOf = ['origin', 'appId', 'unitCode', 'itemCode'] as const
const names = [...numbersOf, 'privateKey', 'publicKey'] as const

/** The office at the non-tax platform; an empty key leaves the stored one. */
export const NontaxDialog = ({
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
    origin: account?.origin ?? '',
    appId: account?.appId ?? '',
    unitCode: account?.unitCode ?? '',
    itemCode: account?.itemCode ?? '',
    privateKey: '',
    publicKey: '',
  }))
  const [values, setValues] = useState(start)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const clean = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as typeof values
    const problems: Record<string, string> = {}
    for (const name of numbersOf) if (!rules[name].test(clean[name])) problems[name] = t(`nontax.bad.${name}`)
    for (const name of ['privateKey', 'publicKey'] as const)
      if (clean[name] === '' && account === null) problems[name] = t(`nontax.bad.${name}`)
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    const { privateKey, publicKey, ...numbers } = clean
    const keys = Object.fromEntries(Object.entries({ privateKey, publicKey }).filter(([, value]) => value !== ''))
    try {
      await api.call('POST /blade-exam/examination/saveNontaxAccount', { ...numbers, ...keys }, { quiet: 'fields' })
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
      title={t('nontax.title')}
      actions={[{ label: t('action.save'), run: send }]}
      hasChanges={() => JSON.stringify(values) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <p>{t('nontax.lead')}</p>
      {names.map(name => (
        <LabelledInput
          key={name}
          label={`${t(`nontax.${name}`)}${account !== null && name.endsWith('Key') ? t('account.kept') : ''}`}
          value={values[name]}
          onChange={value => setValues(before => ({ ...before, [name]: value }))}
          error={wrong[name]}
          {...(name.endsWith('Key') ? { rows: 4 } : { maxLength: name === 'origin' ? 200 : 40 })}
        />
      ))}
    </ActionDialog>
  )
}
