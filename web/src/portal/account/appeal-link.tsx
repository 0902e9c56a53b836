import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Link, navigate } from '../kit/router.tsx'
import { Button } from '../kit/ui.tsx'
import { appealTexts } from './appeal-texts.ts'

export interface Refused {
  readonly message: string
  readonly link: string
}

/** A refusal because somebody else has the number (`data.appeal`); null for every other failure. */
export const appealOf = (error: unknown): Refused | null => {
  if (!isApiError(error) || typeof error.data !== 'object' || error.data === null) return null
  const place = (error.data as { appeal?: { link?: unknown } }).appeal
  return typeof place?.link === 'string' ? { message: error.message, link: place.link } : null
}

/** What was said, and the way to say that the number is one's own. */
export const AppealNote = ({ refused }: { readonly refused: Refused }) => {
  const t = useT(appealTexts)
  return (
    <Callout tone="danger" live>
      <strong>{refused.message}</strong>
      <p>
        <Link href={refused.link}>{t('appeal.go')}</Link>
      </p>
    </Callout>
  )
}

/** The field of a registration that another account has, by the reason of the refusal. */
const takenFields = { 'auth/id-card-taken': 'idCard', 'auth/phone-taken': 'phone' } as const
export type TakenField = (typeof takenFields)[keyof typeof takenFields]

export interface Taken extends Refused {
  readonly field: TakenField
}

/** A registration that was refused because the number has an account; null for every other failure. */
export const takenOf = (error: unknown): Taken | null => {
  const refused = appealOf(error)
  const field = isApiError(error) ? takenFields[error.reason as keyof typeof takenFields] : undefined
  return refused === null || field === undefined ? null : { ...refused, field }
}

/** At registration the number is mostly one's own, of an account that was forgotten: the ways into it come first, the appeal last. */
export const TakenNote = ({ taken }: { readonly taken: Taken }) => {
  const t = useT(appealTexts)
  return (
    <Callout tone="danger" live>
      <strong>{t(`taken.${taken.field}`)}</strong>
      <p>{t('taken.own')}</p>
      <div className="p-row">
        <Button look="primary" onClick={() => enterAt('/login')}>
          {t('appeal.toLogin')}
        </Button>
        <Button onClick={() => navigate('/register/forgot')}>{t('appeal.toForgot')}</Button>
      </div>
      <p>
        {t('taken.other')}{' '}
        <Link className="p-btn is-text" href={taken.link}>
          {t('appeal.go')}
        </Link>
      </p>
    </Callout>
  )
}
