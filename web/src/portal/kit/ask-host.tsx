import { useT } from '#web/kernel/i18n/index.ts'
import { laterTexts } from '../later-texts.ts'
import { useAskStore } from './ask.ts'
import { Sheet } from './sheet.tsx'
import { Button } from './ui.tsx'

/** Draws the question that `ask` put. */
export const AskHost = () => {
  const t = useT(laterTexts)
  const { question, answer } = useAskStore()
  if (question === null) return null
  return (
    <Sheet
      title={question.title}
      onClose={() => answer(false)}
      foot={
        <>
          <Button onClick={() => answer(false)}>{question.cancelText ?? t('ask.cancel')}</Button>
          <Button look={question.danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {question.okText ?? t('ask.ok')}
          </Button>
        </>
      }
    >
      {question.body}
    </Sheet>
  )
}
