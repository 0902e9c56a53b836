import { type FormEvent, useEffect, useRef, useState } from 'react'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { foldGroups, foldWidth } from '#contract/kernel/fold-width.ts'
import { foldIdCard, isPassportNumber } from '#contract/person/id-card.ts'
import { checkMobile, foldMobile, mobileMessages } from '#contract/person/mobile.ts'
import { readDocument } from '#contract/person/passport.ts'
import { checkName, foldName, nameMessages } from '#contract/person/person-name.ts'
import { type ApiOutput, api, report } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { encrypt, prepareCipher } from '#web/kernel/cipher.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { notify } from '#web/kernel/notify.ts'
import { safeRedirect } from '#web/kernel/safe-redirect.ts'
import { useSaid } from '#web/kernel/said.ts'
import { readTab, writeTab } from '#web/kernel/tab-storage.ts'
import { useSmsCode } from '#web/kernel/use-sms-code.ts'
import { todayOf } from '../form/model.ts'
import { type Taken, takenOf } from './appeal-link.tsx'
import { appealTexts } from './appeal-texts.ts'
import { noPassport, type PassportValues, passportInput, saidOf } from './passport-fields.tsx'
import { accountTexts } from './texts.ts'

export interface Values extends PassportValues {
  readonly username: string
  readonly realName: string
  readonly idCard: string
  readonly phone: string
  readonly smsCode: string
  readonly password: string
  readonly password2: string
}
export type Key = keyof Values | 'consent' | 'avatar' | 'cardFront' | 'cardBack'
type Errors = Partial<Record<Key, string>>

const none: Values = { username: '', realName: '', idCard: '', ...noPassport, phone: '', smsCode: '', password: '', password2: '' }
const policy = passwordPolicyOf('candidate')
/** Which wording of the consent was accepted. */
const consentVersion = '2026-11'

const useCheck = () => {
  const t = useT(accountTexts)
  const lang = useLang()
  return (key: keyof Values, values: Values): string | undefined => {
    const value = values[key]
    switch (key) {
      case 'username':
        return /^[A-Za-z0-9_.@-]{4,60}$/.test(foldWidth(value)) ? undefined : t('reg.accountWrong')
      case 'realName': {
        const name = checkName(value)
        return name.ok ? undefined : nameMessages[name.problem][lang]
      }
      case 'idCardType':
        return undefined
      case 'idCard':
      case 'nationality':
      case 'birthday':
      case 'sex': {
        const read = readDocument(saidOf(values.idCard, values), todayOf(serverNow()))
        return read.ok ? undefined : read.problems.find(problem => problem.field === key)?.message[lang]
      }
      case 'phone': {
        const mobile = checkMobile(value)
        return mobile.ok ? undefined : mobileMessages[mobile.problem][lang]
      }
      case 'smsCode':
        return /^\d{6}$/.test(foldGroups(value)) ? undefined : t('reg.smsNeed')
      case 'password': {
        const [problem] = checkPassword(
          { password: value, ownWords: [values.username, values.phone, values.idCard], isCommon: () => false },
          policy,
        )
        return problem === undefined ? undefined : passwordMessage(problem, policy)[lang]
      }
      case 'password2':
        return value === values.password ? undefined : t('info.differ')
    }
  }
}

type Files = Partial<Record<Key, File>>

/** What is sent: names and numbers folded as the server folds them, what is secret under its key. */
const bodyOf = async (values: Values, smsId: string, files: Files): Promise<FormData> => {
  const data = new FormData()
  data.set('username', foldWidth(values.username))
  data.set('password', await encrypt(values.password))
  data.set('password2', await encrypt(values.password2))
  data.set('realName', foldName(values.realName))
  data.set('phone', await encrypt(foldMobile(values.phone)))
  data.set('idCard', foldIdCard(values.idCard))
  for (const [key, value] of Object.entries(passportInput(values.idCard, values))) data.set(key, value)
  data.set('smsId', smsId)
  data.set('smsCode', foldGroups(values.smsCode))
  data.set('consent', '1')
  data.set('consentVersion', consentVersion)
  for (const [key, file] of Object.entries(files)) if (file) data.set(key, file, file.name)
  return data
}

/** What was typed so far outlives a reload of the tab; passwords do not. */
interface KeptDraft {
  readonly values: Values
  readonly consent: boolean
}
const draftName = 'register'
const noSecrets = (values: Values): Values => ({ ...values, password: '', password2: '' })

/**
 * Logs the new account in, so that nobody types what they typed a minute ago; the browser does the captcha's work. Where that fails, the
 * log-in knows the account.
 */
const enterNow = async (account: string, password: string): Promise<boolean> => {
  try {
    const [{ workInstead }, { logInByPassword }, { logIn }] = await Promise.all([
      import('#web/kernel/work.ts'),
      import('#web/kernel/ask-token.ts'),
      import('#web/kernel/session-acts.ts'),
    ])
    const { key, code } = await workInstead()
    logIn(await logInByPassword({ account, password, captchaKey: key, captchaCode: code }, true))
    return true
  } catch {
    writeTab('account', account)
    return false
  }
}

/** All that is typed and chosen for a registration, what is wrong with it, and its way to the server. */
export const useRegistration = () => {
  const [t, a] = [useT(accountTexts), useT(appealTexts)]
  const check = useCheck()
  const form = useRef<HTMLFormElement>(null)
  const [kept] = useState(() => readTab<KeptDraft>(draftName))
  const [values, setValues] = useState<Values>({ ...none, ...kept?.values })
  const [files, setFiles] = useState<Files>({})
  const [consent, setConsent] = useState(kept?.consent ?? false)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<{ account: string; active: boolean } | null>(null)
  const [taken, setTaken] = useSaid<Taken | null>(null)
  const sms = useSmsCode(values.phone, { person: { ...saidOf(values.idCard, values), idCard: foldIdCard(values.idCard) } })
  useEffect(prepareCipher, [])
  useEffect(() => {
    if (done === null) writeTab(draftName, { values: noSecrets(values), consent } satisfies KeptDraft)
  }, [values, consent, done])

  /** What this page finds itself is said in the other language; what the server or a picture said is gone with its own. */
  const again = (said: Errors): Errors => {
    const marked = (Object.keys(none) as (keyof Values)[]).filter(key => said[key] !== undefined)
    const found: Errors = Object.fromEntries(marked.map(key => [key, check(key, values)]))
    if (said.consent !== undefined && !consent) found.consent = t('reg.consent.need')
    return found
  }
  const [errors, setErrors] = useSaid<Errors>({}, again)
  const say = (key: Key, problem: string | undefined) => setErrors(before => ({ ...before, [key]: problem }))
  const set = (key: keyof Values) => (value: string) => {
    setValues(before => ({ ...before, [key]: value }))
    say(key, undefined)
    // What is said of the number changes with what it is of.
    if (key === 'idCardType') say('idCard', undefined)
  }
  const leave = (key: keyof Values) => () => {
    // Whether it is a passport's is asked below: a complaint before the answer would push the box away from under the finger.
    const isAsked = key === 'idCard' && isPassportNumber(values.idCard)
    if (values[key] !== '' && !isAsked) say(key, check(key, values))
  }
  const goTo = (key: string) => form.current?.querySelector<HTMLElement>(`[name="${key}"]`)?.focus()
  const show = (found: Errors) => {
    // Why a picture was not taken is said until another one is chosen.
    setErrors(({ avatar, cardFront, cardBack }) => ({ avatar, cardFront, cardBack, ...found }))
    const first = Object.entries(found).find(([, problem]) => problem !== undefined)
    if (first !== undefined) requestAnimationFrame(() => goTo(first[0]))
  }
  const sendSms = async () => {
    // A code is of no use to whoever has to mend the number first, and of none while it is not said whether that is a passport's.
    const card = values.idCard === '' ? undefined : check('idCard', values)
    const phone = check('phone', values)
    if (card === undefined && phone === undefined) return void (await sms.send())
    sms.refuse()
    show({ ...errors, idCard: card, phone })
  }
  /** @param problem - why the file is not taken */
  const choose = (key: Key, file: File | undefined, problem: string | undefined) => {
    say(key, problem)
    setFiles(before => ({ ...before, [key]: problem === undefined ? file : undefined }))
  }
  const agree = (value: boolean) => {
    setConsent(value)
    say('consent', undefined)
  }
  const problemsOf = (): Errors => {
    const found: Errors = {}
    for (const key of Object.keys(none) as (keyof Values)[]) {
      const problem = check(key, values)
      if (problem !== undefined) found[key] = problem
    }
    if (sms.smsId === null && found.smsCode === undefined) found.smsCode = sms.first
    if (!consent) found.consent = t('reg.consent.need')
    return found
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const { smsId } = sms
    const found = problemsOf()
    if (Object.keys(found).length > 0 || smsId === null) return show(found)
    setBusy(true)
    setTaken(null)
    try {
      const answer = await api.request<ApiOutput<'POST /blade-system/user/register'>>({
        method: 'POST',
        path: '/blade-system/user/register',
        quiet: true,
        body: () => bodyOf(values, smsId, files),
      })
      const account = foldWidth(values.username)
      writeTab(draftName, null)
      const isIn = answer.status === 1 && (await enterNow(account, values.password))
      if (!isIn) {
        setDone({ account, active: answer.status === 1 })
        return scrollTo(0, 0)
      }
      // The page that follows draws over this one: a note that stays says that it went well.
      notify('success', t('reg.done'))
      enterAt(safeRedirect(new URLSearchParams(location.search).get('redirect')))
    } catch (error) {
      const found = takenOf(error)
      setTaken(found)
      // The note stands where the button was pressed and has the ways on: the field is marked and not jumped to.
      if (found !== null) setErrors({ [found.field]: a(`taken.${found.field}`) })
      else if (isApiError(error)) {
        report(error, 'fields')
        show(fieldTexts(error))
      }
    } finally {
      setBusy(false)
    }
  }
  return { form, values, errors, files, consent, busy, done, taken, sms, set, leave, sendSms, choose, agree, submit, goTo }
}
export type Registration = ReturnType<typeof useRegistration>
