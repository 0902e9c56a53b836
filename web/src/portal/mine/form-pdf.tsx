import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { InAppNote } from '../kit/in-app-note.tsx'
import { DownloadIcon } from '../kit/page-icons.tsx'
import { Button } from '../kit/ui.tsx'
import type { MySignup } from '../wire.ts'
import { mineTexts } from './texts.ts'

/** The registration form as a PDF, for whoever has to bring it on paper. */
export const FormPdf = ({ row }: { readonly row: MySignup }) => {
  const t = useT(mineTexts)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await api.download(
        {
          method: 'POST',
          path: '/blade-signup/signup/exportSignUpEach',
          body: { examId: row.examId, ids: row.signupId },
          timeoutMs: 120_000,
        },
        `${row.examName}.pdf`,
      )
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <InAppNote />
      <Button busy={busy} onClick={() => void save()}>
        <DownloadIcon size={20} />
        {t('mine.formPdf')}
      </Button>
    </>
  )
}
