import { lazy, Suspense, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { useCan } from '../kernel/permission.ts'
import type { RevealField } from './reveal-dialog.tsx'
import './reveal.css'
import { revealTexts } from './reveal-texts.ts'

const RevealDialog = lazy(async () => ({ default: (await import('./reveal-dialog.tsx')).RevealDialog }))

/** The way to the full number beside a masked one, for those who may see it. */
export const RevealButton = (props: { readonly signupId: string; readonly name: string; readonly field: RevealField }) => {
  const t = useT(revealTexts)
  const may = useCan()('signup_reveal')
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <button type="button" className="link-button reveal-link" aria-label={t(`reveal.${props.field}`)} onClick={() => setOpen(true)}>
        {t('reveal.show')}
      </button>
      {open ? (
        <Suspense>
          <RevealDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
